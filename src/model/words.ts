// Splits texts into words for the full-text search, identically on every store: runs of letters and digits, without
// accents and case. The databases only look up words.

const WORD = /[\p{L}\p{N}]+/gu
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
    for (const [found] of folded(text).matchAll(WORD)) {
      const word = truncated(found)
      if (words.has(word)) continue
      bytes += Buffer.byteLength(word)
      if (words.size >= MAX_WORDS || bytes > MAX_BYTES) return [...words]
      words.add(word)
    }
  }
  return [...words]
}

export interface SearchedWord {
  readonly word: string
  /** The word was followed by an asterisk: it matches all words with this prefix. */
  readonly isPrefix: boolean
}

const SEARCH_TERM = /([\p{L}\p{N}]+)(\*?)/gu

/** The words of a search text, all of which must be found. */
export function searchedWords(text: string): SearchedWord[] {
  return [...folded(text).matchAll(SEARCH_TERM)].map(([, word = '', star]) => ({
    word: truncated(word),
    isPrefix: star === '*',
  }))
}

/** Truncates a long word without splitting a surrogate pair. */
function truncated(word: string): string {
  return word.length > MAX_WORD_LENGTH ? word.slice(0, MAX_WORD_LENGTH).replace(/[\ud800-\udbff]$/, '') : word
}

function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
}

const FINAL_SIGMA = /\u03c2/g

/**
 * The key for comparing titles and index values without regard to case. The final sigma counts as the common one:
 * otherwise the key of a prefix might not be a prefix of the key.
 */
export function searchKey(text: string): string {
  return text.toLowerCase().replace(FINAL_SIGMA, '\u03c3')
}
