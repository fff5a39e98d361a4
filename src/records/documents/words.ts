// What the full-text search takes for a word, on every store alike: letters and digits between anything else, without
// accents and without regard to case. The databases only look words up.

const WORD = /[\p{L}\p{N}]+/gu
/** Longer runs of letters are known by their beginning. */
const LONGEST_WORD = 64
/** Of one text: what is written is written while others wait. */
const MOST_WORDS = 20_000
/** PostgreSQL holds a megabyte of words for a row. */
const MOST_BYTES = 1_000_000

/** The words of some texts, each once, in the order in which they come. */
export function wordsOf(...texts: readonly string[]): string[] {
  const words = new Set<string>()
  let bytes = 0
  for (const text of texts) {
    for (const [found] of folded(text).matchAll(WORD)) {
      const word = cut(found)
      if (words.has(word)) continue
      bytes += Buffer.byteLength(word)
      if (words.size >= MOST_WORDS || bytes > MOST_BYTES) return [...words]
      words.add(word)
    }
  }
  return [...words]
}

export interface SearchedWord {
  readonly word: string
  /** It was written with an asterisk behind it: words that begin like it are meant. */
  readonly isPrefix: boolean
}

const SEARCHED = /([\p{L}\p{N}]+)(\*?)/gu

/** The words of a question: all of them must be found. */
export function searchedWords(text: string): SearchedWord[] {
  return [...folded(text).matchAll(SEARCHED)].map(([, word = '', star]) => ({
    word: cut(word),
    isPrefix: star === '*',
  }))
}

/** Never half of a surrogate pair. */
function cut(word: string): string {
  return word.length > LONGEST_WORD ? word.slice(0, LONGEST_WORD).replace(/[\ud800-\udbff]$/, '') : word
}

function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
}
