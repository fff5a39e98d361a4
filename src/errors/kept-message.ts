// What a caller was told, kept for administrators who are asked about it: the sentence, with names of properties and
// options, limits and positions. Whatever else stands in it may be of a record or a secret, and is left out.
import type { Problem } from './problem.ts'
import { withValues } from './sentences.ts'

const MOST_PARTS = 5
const LEFT_OUT = '\u2026'
/** What values of sentences are called that are names of properties, options, types, documents or companies. */
const NAMES: ReadonlySet<string> = new Set(
  'field fields name names document option nearest op type types values variants list permission scope company'.split(
    ' ',
  ),
)
const NUMBERS: ReadonlySet<string> = new Set(
  'position most least count bytes line index places digits length seconds'.split(' '),
)
/** As properties are called. Letters alone before the last digits: keys, numbers and secrets are none. */
const NAME = /^\$?[A-Za-z][A-Za-z_]{0,39}\d{0,2}$/
const NUMBER = /^[\d.,]{1,12}$/
const BETWEEN = /(, | or | and |\/)/

/** Undefined for a message without words of its own. */
export function keptMessage({ message, parts = [{ message }] }: Problem): string | undefined {
  const told = parts.slice(0, MOST_PARTS).map((part) => withValues(part.message, keptValue))
  return told.includes(undefined) ? undefined : told.join(' ')
}

function keptValue(name: string, value: string): string {
  if (NUMBERS.has(name)) return NUMBER.test(value) ? value : LEFT_OUT
  if (!NAMES.has(name)) return LEFT_OUT
  const pieces = value.split(BETWEEN)
  return pieces.map((piece, at) => (at % 2 === 1 || NAME.test(piece) ? piece : LEFT_OUT)).join('')
}
