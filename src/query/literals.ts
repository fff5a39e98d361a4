// Literals take the type of what they stand beside (decision 6, semantics).

import { OPEN_FROM, parseDateTime } from '../base/dates.ts'
import { isSameDecimal, isWrittenBackAlike } from '../base/long-number.ts'
import { shortened } from '../base/text.ts'
import { ABSENT as ABSENT_VALUES } from '../model/document.ts'
import type { BoundType, BoundValue } from './bound.ts'
import { DATES } from './parse/hints.ts'
import type { Literal } from './parse/tree.ts'
import { meaningError } from './query-error.ts'

/** What `null` means: the absent value of the type. */
const ABSENT: Readonly<Record<BoundType, string | number | boolean>> = {
  ...ABSENT_VALUES,
  date: OPEN_FROM.slice(0, 10),
}

const WRITTEN_AS_DATE = /^\d{4}-\d{2}-\d{2}/

/** The literal as a value of a type. Throws a QueryError when it is none. */
export function literalAs(literal: Literal, type: BoundType): BoundValue {
  const value = literal.type === 'null' ? ABSENT[type] : valueAs(literal, type)
  if (value !== undefined) return { kind: 'value', type, value }
  const isMiswritten = (type === 'date-time' || type === 'date') && !WRITTEN_AS_DATE.test(literal.text)
  const hint = isMiswritten ? `; ${DATES}` : ''
  const isNumeric = type === 'number' || type === 'integer'
  const isLong = isNumeric && NUMBER.test(literal.text) && Number.isFinite(Number(literal.text))
  const problem = isLong ? `has more digits than are kept of ${type}s` : `is no ${typeName(type)}`
  throw meaningError('filter', literal.position, `${literalText(literal)} ${problem}`, hint)
}

/** As callers know it: a decimal is a number of JSON. */
export function typeName(type: BoundType): string {
  return type === 'decimal' ? 'number' : type
}

/** As it is shown in a message. */
export function literalText({ type, text }: Literal): string {
  const shown = shortened(text, 40)
  return type === 'string' ? `'${shown}'` : shown
}

/** The literal as what it looks like, where nothing beside it has a type. */
export function literalAlone(literal: Literal): BoundValue {
  const type = { string: 'string', number: 'number', boolean: 'boolean', date: 'date-time', null: 'string' } as const
  return literalAs(literal, type[literal.type])
}

function valueAs({ type: given, text }: Literal, type: BoundType): BoundValue['value'] | undefined {
  switch (type) {
    case 'string':
      // A number stands for its text: deployed clients compare ids with bare numbers.
      return given === 'boolean' ? undefined : text
    case 'integer':
      return given === 'string' || given === 'number' ? (longOf(text) ?? numberOf(text)) : undefined
    case 'number':
      return given === 'string' || given === 'number' ? numberOf(text) : undefined
    case 'decimal':
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
  return Number.isFinite(number) && isKept(text.trim(), number) ? number : undefined
}

/** Great powers of two are written with fewer digits than they have. */
function isKept(text: string, number: number): boolean {
  if (isWrittenBackAlike(text, number)) return true
  return Number.isInteger(number) && isSameDecimal(text, String(BigInt(number)))
}

const NUMBER = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i

/** An integer of 64 bits that a number would round. */
function longOf(text: string): bigint | undefined {
  if (!/^\s*[+-]?\d{16,19}\s*$/.test(text) || Number.isSafeInteger(Number(text))) return undefined
  const long = BigInt(text.replace('+', ''))
  return BigInt.asIntN(64, long) === long ? long : undefined
}

function booleanOf(text: string): boolean | undefined {
  const folded = text.trim().toLowerCase()
  return folded === 'true' ? true : folded === 'false' ? false : undefined
}
