// What the full-text search takes for a word, on every store alike: letters and digits between anything else, without
// accents and without regard to case. The databases only look words up.

const WORD = /[\p{L}\p{N}]+/gu
/** A longer run of letters is no word that somebody looks for. */
const LONGEST_WORD = 64
/** Of one text: PostgreSQL holds a megabyte of words for a row, and what is written is written while others wait. */
const MOST_WORDS = 20_000

/** The words of some texts, each once, in the order in which they come. */
export function wordsOf(...texts: readonly string[]): string[] {
  const words = new Set<string>()
  for (const text of texts) {
    for (const [word] of folded(text).matchAll(WORD)) {
      if (words.size >= MOST_WORDS) return [...words]
      if (word.length <= LONGEST_WORD) words.add(word)
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
    word: word.slice(0, LONGEST_WORD),
    isPrefix: star === '*' || word.length > LONGEST_WORD,
  }))
}

function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
}
