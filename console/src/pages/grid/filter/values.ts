// Values of conditions, and which conditions a column may have.
import type { Literal } from '../../../../../src/query/parse/tree.ts'
import { sourceOf } from '../../../service/legal-values.ts'
import { beginOf, dayOf, type Timed } from '../../../service/moments.ts'
import type { Column } from '../list-columns.ts'
import type { Operator } from './conditions.ts'

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/
/** Years of four digits, and a year after it. */
const DAY = /^(?!0000|9999)\d{4}-\d\d-\d\d$/

export const isNumber = (text: string): boolean => NUMBER.test(text)

/** Undefined where a value is none of the kind. */
export function valueIn({ type, text }: Literal, { kind, path }: Timed): string | undefined {
  if (kind === 'text') return type === 'string' || type === 'number' ? text : undefined
  if (kind === 'boolean') return type === 'boolean' ? text.toLowerCase() : undefined
  if (kind === 'date-time') return type === 'date' || type === 'string' ? dayBegunAt(text, { kind, path }) : undefined
  return (type === 'number' || type === 'string') && isNumber(text) ? text : undefined
}

/** The day whose first moment it is; undefined for any other moment. */
function dayBegunAt(text: string, field: Timed): string | undefined {
  const day = dayOf(text, field)
  return isDay(day) && beginOf(day, field) === text ? day : undefined
}

/** February has no 30th. */
export function isDay(text: string): boolean {
  const instant = Date.parse(`${text}T00:00:00Z`)
  return DAY.test(text) && !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text)
}

const DAY_MS = 86_400_000
const daysFrom = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

export const dayAfter = (day: string): string => daysFrom(day, 1)

/** Undefined for what is no day. */
export const dayBefore = (day: string): string | undefined => (isDay(day) ? daysFrom(day, -1) : undefined)

const OF_TEXTS: readonly Operator[] = ['contains', 'containsNot', 'startsWith', 'is', 'isNot']
const OF_CODES: readonly Operator[] = ['is', 'isNot', 'oneOf', 'noneOf', 'startsExactly', 'from', 'to', 'between']
const OF_DAYS: readonly Operator[] = ['is', 'isNot', 'from', 'to', 'between']
const OF_NUMBERS: readonly Operator[] = ['is', 'isNot', 'from', 'to', 'between', 'above', 'below', 'oneOf', 'noneOf']
const OF_ALL: readonly Operator[] = ['isEmpty', 'isFilled']

/** The conditions that a column offers, the usual one first. */
export function operatorsOf(column: Column): readonly Operator[] {
  if (column.kind === 'boolean') return ['is']
  if (column.kind === 'date-time') return [...OF_DAYS, ...OF_ALL]
  if (column.kind !== 'text') return OF_NUMBERS
  return [...(isCoded(column) ? OF_CODES : OF_TEXTS), ...OF_ALL]
}

/** Whether it has codes that are known, or is a number of records. */
export const isCoded = (column: Column): boolean => column.isKey || sourceOf(column) !== undefined

/** A filter may ask anything of a text. */
export const isLegal = (column: Column, operator: Operator): boolean =>
  column.kind === 'text' || operatorsOf(column).includes(operator)

/** How many values a condition takes. */
export function valuesFor(operator: Operator): 'none' | 'one' | 'two' | 'many' {
  if (operator === 'isEmpty' || operator === 'isFilled') return 'none'
  if (operator === 'between') return 'two'
  return operator === 'oneOf' || operator === 'noneOf' ? 'many' : 'one'
}
