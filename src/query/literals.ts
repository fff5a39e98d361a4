// Literals take the type of the operand they are compared with (decision 6, semantics).
import { OPEN_FROM, parseDateTime } from '../base/dates.ts'
import { isSameDecimal, roundTrips } from '../base/long-number.ts'
import { shortened } from '../base/text.ts'
import { ABSENT as ABSENT_VALUES } from '../model/document.ts'
import { type BoundType, BoundValue, type PlainValue } from './bound-value.ts'
import { DATES } from './parse/hints.ts'
import { meaningError } from './parse/query-error.ts'
import type { Literal } from './parse/tree.ts'

/** The meaning of `null`: the absent value of the type. */
const ABSENT: Readonly<Record<BoundType, string | number | boolean>> = {
  ...ABSENT_VALUES,
  date: OPEN_FROM.slice(0, 10),
}

/** The types that a literal has by its syntax. */
const TYPES: Readonly<Record<Literal['type'], readonly BoundType[]>> = {
  string: ['string'],
  number: ['integer', 'number', 'decimal', 'exact'],
  boolean: ['boolean'],
  date: ['date-time', 'date'],
  null: [],
}

const DATE_PREFIX = /^\d{4}-\d{2}-\d{2}/

/** The literal as a value of a type. Throws a QueryError if it is not one. `absent`: what `null` means. */
export function literalAs(literal: Literal, type: BoundType, absent: PlainValue = ABSENT[type]): BoundValue {
  const isOfType = !literal.isTyped || TYPES[literal.type].includes(type)
  const value = literal.type === 'null' ? absent : isOfType ? valueAs(literal, type) : undefined
  if (value !== undefined) return new BoundValue(type, value, literal)
  const isOtherFormat = (type === 'date-time' || type === 'date') && !DATE_PREFIX.test(literal.text)
  const hint = isOtherFormat ? `; ${DATES}` : ''
  const isNumeric = type === 'number' || type === 'integer'
  const isLong = isNumeric && NUMBER.test(literal.text) && Number.isFinite(Number(literal.text))
  const problem = isLong ? `has more digits than are kept of ${type}s` : `is no ${typeName(type)}`
  throw meaningError('filter', literal.position, `${literalText(literal)} ${problem}`, hint)
}

/** The name of a type in messages: clients know a decimal as a JSON number. */
export function typeName(type: BoundType): string {
  return type === 'decimal' || type === 'exact' ? 'number' : type
}

/** The literal as in a message, shortened. */
export function literalText({ type, text }: Literal): string {
  const excerpt = shortened(text, 40)
  return type === 'string' ? `'${excerpt}'` : excerpt
}

/** The literal with the type of its syntax, for operands without a typed counterpart. */
export function literalAlone(literal: Literal): BoundValue {
  const type = { string: 'string', number: 'number', boolean: 'boolean', date: 'date-time', null: 'string' } as const
  return literalAs(literal, type[literal.type])
}

function valueAs({ type: given, text }: Literal, type: BoundType): PlainValue | undefined {
  switch (type) {
    case 'string':
      // A number counts as its text, because deployed clients compare ids with unquoted numbers.
      return given === 'boolean' ? undefined : text
    case 'integer':
      return given === 'string' || given === 'number' ? (longOf(text) ?? numberOf(text)) : undefined
    case 'number':
      return given === 'string' || given === 'number' ? numberOf(text) : undefined
    case 'decimal':
    case 'exact':
      return NUMBER.test(text) && Number.isFinite(Number(text)) ? text.trim() : undefined
    case 'boolean':
      return given === 'string' || given === 'boolean' ? booleanOf(text) : undefined
    case 'date-time':
      return given === 'number' ? undefined : parseDateTime(text.trim())
    case 'date':
      return given === 'number' ? undefined : parseDateTime(text.trim())?.slice(0, 10)
  }
}

function numberOf(text: string): number | undefined {
  const number = NUMBER.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(number) && isExact(text.trim(), number) ? number : undefined
}

/** Whether a number represents its text exactly. Large powers of two serialize with fewer digits than they have. */
function isExact(text: string, number: number): boolean {
  if (roundTrips(text, number)) return true
  return Number.isInteger(number) && isSameDecimal(text, String(BigInt(number)))
}

const NUMBER = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i

/** A 64-bit integer that a number would round. */
function longOf(text: string): bigint | undefined {
  if (!/^\s*[+-]?\d{16,19}\s*$/.test(text) || Number.isSafeInteger(Number(text))) return undefined
  const long = BigInt(text.replace('+', ''))
  return BigInt.asIntN(64, long) === long ? long : undefined
}

function booleanOf(text: string): boolean | undefined {
  const folded = text.trim().toLowerCase()
  return folded === 'true' ? true : folded === 'false' ? false : undefined
}

/** A text as the query language writes it. */
export function literalOf(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
