// Decimal numbers with a fixed number of digits after the point, the scale. They are stored as integers in units of the
// last digit: 12.5 with scale 4 is 125000. Nothing is ever rounded.

import { isNumberText, keepsDigits, LongNumber, partsOf } from '../long-number.ts'
import type { JsonValue } from '../strict-json.ts'

/** In total. A 64-bit integer holds every number of 18 digits. */
export const DECIMAL_DIGITS = 18
/** The maximum number of digits after the point. */
export const GREATEST_SCALE = 9

/** The number in a record: a double if that is written as the same number, else its digits. */
export type Exact = number | LongNumber

/** Units of the last digit, as a statement parameter: a text if a double cannot represent them. */
export type Units = number | string

/** Below this, doubles can represent and compare units exactly. */
const MAX_EXACT_UNITS = 1e15

/** JavaScript writes smaller numbers with an exponent. */
const SMALLEST_PLAIN = 1e-6

/** A number, or a text that is one, in units of the last digit; undefined if it has too many digits. */
export function unitsOf(value: JsonValue, scale: number): Units | undefined {
  if (typeof value === 'number') return shortUnits(value, scale) ?? unitsOfText(String(value), scale)
  if (value instanceof LongNumber) return unitsOfText(value.text, scale)
  if (typeof value !== 'string' || !isNumberText(value)) return undefined
  const number = Number(value)
  return (keepsDigits(value, number) ? shortUnits(number, scale) : undefined) ?? unitsOfText(value, scale)
}

/** The number with all its digits; undefined if it has too many. */
export function asDecimal(value: JsonValue, scale: number): Exact | undefined {
  // Most numbers are written without an exponent, and are what they are read as.
  if (typeof value === 'number' && Math.abs(value) >= SMALLEST_PLAIN && shortUnits(value, scale) !== undefined)
    return value
  const units = unitsOf(value, scale)
  return units === undefined ? undefined : exactOf(units, scale)
}

/** The number in a record for these units. */
export function exactOf(units: Units, scale: number): Exact {
  const text = decimalText(BigInt(units), scale)
  const number = Number(text)
  return String(number) === text ? number : new LongNumber(text)
}

/** The number in its shortest form. */
export function decimalText(units: bigint, scale: number): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')
  const [integerDigits, decimals] = [digits.slice(0, digits.length - scale), digits.slice(digits.length - scale)]
  const fraction = decimals.replace(/0+$/, '')
  return `${units < 0n ? '-' : ''}${integerDigits}${fraction === '' ? '' : `.${fraction}`}`
}

/** The unit of a scale as text: 0.0001 for scale 4. */
export function lastDigit(scale: number): string {
  return decimalText(1n, scale)
}

/** Units greater than those of every decimal. */
export const BEYOND = 10n ** BigInt(DECIMAL_DIGITS)

/**
 * The largest decimal not above a number of any length, in units, and whether the two are equal (`isExact`). A number
 * outside the range of decimals counts as equal to BEYOND or -BEYOND.
 */
export function floorUnits(text: string, scale: number): { readonly floor: bigint; readonly isExact: boolean } {
  const { digits, exponent, isNegative } = partsOf(text)
  const zeros = exponent + scale
  const integerLength = digits.length + zeros
  if (digits === '') return { floor: 0n, isExact: true }
  if (integerLength > DECIMAL_DIGITS) return { floor: isNegative ? -BEYOND : BEYOND, isExact: true }
  if (zeros >= 0) {
    const units = BigInt(digits + '0'.repeat(zeros))
    return { floor: isNegative ? -units : units, isExact: true }
  }
  const below = integerLength > 0 ? BigInt(digits.slice(0, integerLength)) : 0n
  return { floor: isNegative ? -below - 1n : below, isExact: false }
}

/** The units of a double with few digits; undefined if it has more decimals than the scale, or too many digits. */
function shortUnits(number: number, scale: number): number | undefined {
  const unit = 10 ** scale
  const units = Math.round(number * unit)
  if (Math.abs(units) >= MAX_EXACT_UNITS || units / unit !== number) return undefined
  return units === 0 ? 0 : units
}

function unitsOfText(text: string, scale: number): Units | undefined {
  const { digits, exponent, isNegative } = partsOf(text)
  if (digits === '') return 0
  const zeros = exponent + scale
  if (zeros < 0 || digits.length + zeros > DECIMAL_DIGITS) return undefined
  const units = `${isNegative ? '-' : ''}${digits}${'0'.repeat(zeros)}`
  return Number.isSafeInteger(Number(units)) ? Number(units) : units
}
