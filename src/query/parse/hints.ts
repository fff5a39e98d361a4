// Hints for syntax errors: people use operators and words of other query languages.
import type { QueryOption } from './query-error.ts'
import type { Operand } from './tree.ts'

export const QUOTES = 'strings stand in single quotes'
export const DOUBLED_QUOTE = "a quote inside a string is doubled, such as 'O''Neil'"
export const DATES = 'dates are written 2026-11-22'

const OPERATORS: Readonly<Record<string, string>> = {
  '=': 'eq',
  '==': 'eq',
  '===': 'eq',
  '!=': 'ne',
  '!==': 'ne',
  '<>': 'ne',
  '<': 'lt',
  '<=': 'le',
  '=<': 'le',
  '>': 'gt',
  '>=': 'ge',
  '=>': 'ge',
  '!': 'not',
  '&': 'and',
  '&&': 'and',
  '|': 'or',
  '||': 'or',
}

const WORDS: Readonly<Record<string, string>> = {
  is: 'eq',
  equal: 'eq',
  equals: 'eq',
  neq: 'ne',
  gte: 'ge',
  lte: 'le',
}

const OPERATOR = /[=!<>&|]+/y
/** Dates in other common formats, or without leading zeros. */
const LOCAL_DATE = /(?:\d{1,2}([./-])\d{1,2}\1\d{4}|\d{4}([./-])\d{1,2}\2\d{1,2})(?![\w.])/y
const WORD = /[\p{L}\p{N}_.]+/uy

export interface Misread {
  /** The complete invalid token. */
  readonly text: string
  readonly hint: string | undefined
}

/** A date in another format than the supported one, at a position in a filter. */
export function localDateAt(option: QueryOption, text: string, position: number): Misread | undefined {
  const found = option === 'filter' ? matchAt(LOCAL_DATE, text, position) : undefined
  return found === undefined ? undefined : { text: found, hint: DATES }
}

/** The text at a position where no token begins. */
export function misreadAt(option: QueryOption, text: string, position: number): Misread {
  const first = String.fromCodePoint(text.codePointAt(position) ?? 0)
  if (first === '.') return { text: first, hint: 'paths use /, such as lastUpdated/updatedAt' }
  if (first === '"') return { text: first, hint: option === 'filter' ? QUOTES : 'names stand without quotes' }
  if (option !== 'filter') return { text: first, hint: undefined }
  const operator = matchAt(OPERATOR, text, position)
  if (operator !== undefined) return { text: operator, hint: correction(OPERATORS, operator) }
  const word = matchAt(WORD, text, position)
  return word === undefined ? { text: first, hint: undefined } : { text: word, hint: QUOTES }
}

/** The hint for a word in the position of a comparison. */
export function hintForWord(word: string, left: Operand): string | undefined {
  const folded = word.toLowerCase()
  const subject = left.kind === 'property' ? left.names.join('/') : '...'
  switch (folded) {
    case 'like':
    case 'ilike':
    case 'contains':
      return `write contains(${subject},'...')`
    case 'startswith':
    case 'endswith':
      return `write ${folded}(${subject},'...')`
    case 'between':
      return `write ${subject} ge ... and ${subject} le ...`
    case 'not':
      return `write not (${subject} in (...)) or ${subject} ne ...`
  }
  return correction(WORDS, folded)
}

function correction(known: Readonly<Record<string, string>>, given: string): string | undefined {
  return Object.hasOwn(known, given) ? `write ${known[given]}` : undefined
}

function matchAt(pattern: RegExp, text: string, position: number): string | undefined {
  pattern.lastIndex = position
  return pattern.exec(text)?.[0]
}
