// Splits texts into words for the full-text search, identically on every store. The databases only look up words.
import { folded, wordParts } from './word-parts.ts'

/** Maximum length; longer words are truncated. */
const MAX_WORD_LENGTH = 64
/** Per document. Indexing runs inside the company's write lock, so it must stay short. */
const MAX_WORDS = 20_000
/** PostgreSQL limits the words of a row to one megabyte. */
const MAX_BYTES = 1_000_000

/** The distinct words of some texts, in order of appearance. */
export function tokenize(...texts: readonly string[]): string[] {
  const words = new Set<string>()
  let bytes = 0
  for (const text of texts) {
    for (const part of wordParts(folded(text))) {
      for (const found of part.letters ? singlesAndPairs(part.letters) : [part.text]) {
        const word = truncated(found)
        if (words.has(word)) continue
        bytes += Buffer.byteLength(word)
        if (words.size >= MAX_WORDS || bytes > MAX_BYTES) return [...words]
        words.add(word)
      }
    }
  }
  return [...words]
}

function singlesAndPairs(letters: readonly string[]): string[] {
  return letters.flatMap((letter, at) => [letter, ...pairAt(letters, at)])
}

function pairAt(letters: readonly string[], at: number): string[] {
  const next = letters[at + 1]
  return next === undefined ? [] : [`${letters[at]}${next}`]
}

export interface SearchedWord {
  /** Only letters, their marks, and digits. */
  readonly word: string
  /** The word was followed by an asterisk: it matches all words with this prefix. */
  readonly isPrefix: boolean
}

/** The words of a search text, all of which must be found. */
export function searchedWords(text: string): SearchedWord[] {
  const question = folded(text)
  return [...wordParts(question)].flatMap(({ text: word, index, letters }) => {
    if (!letters) return [{ word: truncated(word), isPrefix: question[index + word.length] === '*' }]
    const pairs = letters.flatMap((_letter, at) => pairAt(letters, at))
    return (pairs.length === 0 ? letters : pairs).map((one) => ({ word: truncated(one), isPrefix: false }))
  })
}

/** Truncates a long word without splitting a surrogate pair. */
function truncated(word: string): string {
  return word.length > MAX_WORD_LENGTH ? word.slice(0, MAX_WORD_LENGTH).replace(/[\ud800-\udbff]$/, '') : word
}
