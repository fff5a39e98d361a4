// Clients send numbers and booleans as strings, and strings as numbers. Each function here gives the value in the type
// that was asked for when nothing of it is lost on the way, else `undefined`.
import type { JsonValue } from './strict-json.ts'

/** Amounts keep this many digits on every store; a double has them all. */
const SIGNIFICANT_DIGITS = 15

/** As JSON writes numbers, but for leading zeros. Longer texts are no numbers that somebody meant. */
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i
const LONGEST_NUMBER = 64

/** A string, or a number that its digits say completely. */
export function asText(value: JsonValue): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value !== 'number') return undefined
  const isExact = Number.isInteger(value) ? Number.isSafeInteger(value) : rounded(value) === value
  const text = String(value)
  return isExact && !text.includes('e') ? text : undefined
}

/** A finite number of 15 significant digits. */
export function asNumber(value: JsonValue): number | undefined {
  const number = numberOf(value)
  return number === undefined ? undefined : rounded(number)
}

/** An integer that a double can tell from its neighbours; `12.0` is one. */
export function asInteger(value: JsonValue): number | undefined {
  const number = numberOf(value)
  return Number.isSafeInteger(number) ? number : undefined
}

/** A boolean, or its name in any letter case. */
export function asBoolean(value: JsonValue): boolean | undefined {
  if (typeof value === 'boolean') return value
  if (typeof value !== 'string' || value.length > 5) return undefined
  const name = value.toLowerCase()
  return name === 'true' ? true : name === 'false' ? false : undefined
}

function numberOf(value: JsonValue): number | undefined {
  if (typeof value === 'number') return value === 0 ? 0 : value
  if (typeof value !== 'string' || value.length > LONGEST_NUMBER || !NUMBER.test(value)) return undefined
  const number = Number(value)
  if (!Number.isFinite(number)) return undefined
  return number === 0 ? 0 : number
}

function rounded(value: number): number {
  if (Number.isInteger(value) && Math.abs(value) < 10 ** SIGNIFICANT_DIGITS) return value
  return Number(value.toPrecision(SIGNIFICANT_DIGITS))
}
