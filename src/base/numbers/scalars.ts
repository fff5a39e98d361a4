// Lossless conversions between scalar types, because clients send numbers and booleans as strings, and strings as
// numbers. Each function returns `undefined` if the conversion would lose something.

import {
  isNormal,
  isNumberText,
  isSameDecimal,
  keepsDigits,
  LONGEST_NUMBER,
  LongNumber,
  partsOf,
  SIGNIFICANT_DIGITS,
} from '../long-number.ts'
import type { JsonValue } from '../strict-json.ts'
import { DECIMAL_DIGITS, unitsOf } from './decimal.ts'

/** A string, or the digits of a number that is written without an exponent. */
export function asText(value: JsonValue): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value !== 'number' && !(value instanceof LongNumber)) return undefined
  const text = typeof value === 'number' ? String(value) : value.text
  return text.length > LONGEST_NUMBER || /e/i.test(text) ? undefined : text
}

/** A finite number of at most 15 significant digits. */
export function asNumber(value: JsonValue): number | undefined {
  const number = numberOf(value)
  if (number === undefined) return undefined
  const keepsAll = typeof value === 'string' ? keepsDigits(value, number) : hasFewDigits(number)
  return keepsAll ? number : undefined
}

/** A safe integer; `12.0` is one. */
export function asInteger(value: JsonValue): number | undefined {
  const number = numberOf(value)
  const isExact = Number.isSafeInteger(number) && (typeof value !== 'string' || isSameDecimal(value, String(number)))
  return isExact ? number : undefined
}

/** A boolean, or its name in any letter case. */
export function asBoolean(value: JsonValue): boolean | undefined {
  if (typeof value === 'boolean') return value
  if (typeof value !== 'string' || value.length > 5) return undefined
  const name = value.toLowerCase()
  return name === 'true' ? true : name === 'false' ? false : undefined
}

/**
 * If the value is a number that would lose digits as this kind, the description of what it must be; else undefined.
 * `scale` applies to decimals.
 */
export function lossOf(kind: string, value: JsonValue, scale = 0): string | undefined {
  switch (kind) {
    case 'decimal':
      return isAnyNumber(value) && unitsOf(value, scale) === undefined ? shortDecimal(scale) : undefined
    case 'number':
      return isAnyNumber(value) && asNumber(value) === undefined ? SHORT_NUMBER : undefined
    case 'integer':
      return isAnyNumber(value) && isWhole(value) && asInteger(value) === undefined ? SAFE_INTEGER : undefined
    case 'string or number':
      return isAnyNumber(value) && typeof value !== 'string' ? `string or ${SHORT_NUMBER}` : undefined
    default:
      return undefined
  }
}

const SHORT_NUMBER = `number of at most ${SIGNIFICANT_DIGITS} significant digits`
const shortDecimal = (scale: number) =>
  `number of at most ${DECIMAL_DIGITS - scale} digits before and ${scale} behind the point`
const SAFE_INTEGER = `integer from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`

function isAnyNumber(value: JsonValue): value is number | string | LongNumber {
  return value instanceof LongNumber || numberOf(value) !== undefined
}

function isWhole(value: number | string | LongNumber): boolean {
  if (typeof value === 'number') return Number.isInteger(value)
  return partsOf(typeof value === 'string' ? value : value.text).exponent >= 0
}

function numberOf(value: JsonValue): number | undefined {
  if (typeof value === 'number') return value === 0 ? 0 : value
  if (typeof value !== 'string' || !isNumberText(value)) return undefined
  const number = Number(value)
  return number === 0 ? 0 : number
}

/** Whether the double has at most 15 significant digits. */
function hasFewDigits(number: number): boolean {
  if (Number.isInteger(number) && Math.abs(number) < 10 ** SIGNIFICANT_DIGITS) return true
  return isNormal(number) && Number(number.toPrecision(SIGNIFICANT_DIGITS)) === number
}
