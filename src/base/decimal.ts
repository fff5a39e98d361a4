// Decimal numbers with a fixed number of digits behind the point, its scale. They are kept in units of the last digit:
// 12.5 of scale 4 as 125000. Nothing is ever rounded.
import { isNumberText, keepsDigits, LongNumber, partsOf } from './long-number.ts'
import type { JsonValue } from './strict-json.ts'

/** In all. A 64-bit integer keeps every number of 18 digits, and no database has more in one. */
export const DECIMAL_DIGITS = 18
/** Behind the point. */
export const GREATEST_SCALE = 9

/** As records have it: the double where it is written as the same number, else its digits. */
export type Exact = number | LongNumber

/** Units of the last digit, as they are bound: a text where a double does not keep them. */
export type Units = number | string

/** Of two numbers with fewer digits in all, doubles tell whether they are one. */
const SHORT = 1e15

/** A number, or a text that is one, in units of the last digit; nothing when it has more digits than there are. */
export function unitsOf(value: JsonValue, scale: number): Units | undefined {
  if (typeof value === 'number') return shortUnits(value, scale) ?? unitsOfText(String(value), scale)
  if (value instanceof LongNumber) return unitsOfText(value.text, scale)
  if (typeof value !== 'string' || !isNumberText(value)) return undefined
  const number = Number(value)
  return (keepsDigits(value, number) ? shortUnits(number, scale) : undefined) ?? unitsOfText(value, scale)
}

/** The number with all its digits; nothing when it has more than there are. */
export function asDecimal(value: JsonValue, scale: number): Exact | undefined {
  const units = unitsOf(value, scale)
  return units === undefined ? undefined : exactOf(units, scale)
}

/** What a record has of these units. */
export function exactOf(units: Units, scale: number): Exact {
  const text = decimalText(BigInt(units), scale)
  const number = Number(text)
  return String(number) === text ? number : new LongNumber(text)
}

/** In its shortest form. */
export function decimalText(units: bigint, scale: number): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')
  const [whole, behind] = [digits.slice(0, digits.length - scale), digits.slice(digits.length - scale)]
  const fraction = behind.replace(/0+$/, '')
  return `${units < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** The unit of a scale as a number: 0.0001 of scale 4. */
export function lastDigit(scale: number): string {
  return decimalText(1n, scale)
}

/** Beyond every decimal. */
export const BEYOND = 10n ** BigInt(DECIMAL_DIGITS)

/** Where a number of any length stands among decimals: on one of them, or between one and the next. */
export function placeAmong(text: string, scale: number): { readonly floor: bigint; readonly isOne: boolean } {
  const { digits, exponent, isNegative } = partsOf(text)
  const zeros = exponent + scale
  const wholeDigits = digits.length + zeros
  if (digits === '') return { floor: 0n, isOne: true }
  if (wholeDigits > DECIMAL_DIGITS) return { floor: isNegative ? -BEYOND : BEYOND, isOne: true }
  if (zeros >= 0) {
    const units = BigInt(digits + '0'.repeat(zeros))
    return { floor: isNegative ? -units : units, isOne: true }
  }
  const below = wholeDigits > 0 ? BigInt(digits.slice(0, wholeDigits)) : 0n
  return { floor: isNegative ? -below - 1n : below, isOne: false }
}

/** The units of a double of few digits; nothing when it has more digits behind the point, or many in all. */
function shortUnits(number: number, scale: number): number | undefined {
  const unit = 10 ** scale
  const units = Math.round(number * unit)
  if (Math.abs(units) >= SHORT || units / unit !== number) return undefined
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
