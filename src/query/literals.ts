// Literals take the type of what they stand beside (decision 6, semantics).

import { OPEN_FROM, parseDateTime } from '../base/dates.ts'
import { shortened } from '../base/text.ts'
import { ABSENT as ABSENT_VALUES } from '../model/document.ts'
import type { BoundType, BoundValue } from './bound.ts'
import type { Literal } from './parse/tree.ts'
import { meaningError } from './query-error.ts'

/** What `null` means: the absent value of the type. */
const ABSENT: Readonly<Record<BoundType, string | number | boolean>> = {
  ...ABSENT_VALUES,
  date: OPEN_FROM.slice(0, 10),
}

/** The literal as a value of a type. Throws a QueryError when it is none. */
export function literalAs(literal: Literal, type: BoundType): BoundValue {
  const value = literal.type === 'null' ? ABSENT[type] : valueAs(literal, type)
  if (value !== undefined) return { kind: 'value', type, value }
  const text = shortened(literal.text, 40)
  const shown = literal.type === 'string' ? `'${text}'` : text
  throw meaningError('filter', literal.position, `${shown} is no ${type}`)
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
    case 'boolean':
      return given === 'string' || given === 'boolean' ? booleanOf(text) : undefined
    case 'date-time':
      return given === 'number' ? undefined : parseDateTime(text.trim())
    case 'date':
      return given === 'number' ? undefined : parseDateTime(text.trim())?.slice(0, 10)
  }
}

function numberOf(text: string): number | undefined {
  const number = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(number) ? number : undefined
}

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
