// How letters were folded before `words.ts` did it: documents that were filed then are found as they were until the
// indexer has read them again.
import { type SearchedWord, searchedWords } from './words.ts'

/** The version of the words and keys of `words.ts`. A document with a lower one was filed by former ones. */
export const WORDS_VERSION = 1

const MAX_WORD_LENGTH = 64
const SEARCH_TERM = /([\p{L}\p{N}]+)(\*?)/gu

export function formerKey(text: string): string {
  return text.toLowerCase().replaceAll('\u03c2', '\u03c3')
}

/** All of the words must be found, or in a document that was filed formerly all of those. */
export interface WordSearch {
  readonly words: readonly SearchedWord[]
  /** Absent where they are the same. */
  readonly former?: readonly SearchedWord[]
}

export function wordSearchOf(...texts: readonly string[]): WordSearch {
  const words = texts.flatMap(searchedWords)
  const former = texts.flatMap(formerlySearchedWords)
  return JSON.stringify(words) === JSON.stringify(former) ? { words } : { words, former }
}

function formerlySearchedWords(text: string): SearchedWord[] {
  const question = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
  return [...question.matchAll(SEARCH_TERM)].map(([, word = '', star]) => ({
    word: word.slice(0, MAX_WORD_LENGTH).toWellFormed().replaceAll('\ufffd', ''),
    isPrefix: star === '*',
  }))
}
