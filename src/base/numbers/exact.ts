// Exact decimal numbers of any length, for sums and averages. A database without such numbers holds them as keys: texts
// that sort as their numbers do, and that are equal only if these are.

import { partsOf } from '../long-number.ts'
import { decimalText } from './decimal.ts'

/** Decimal places of an average beyond those of the numbers themselves. */
export const AVERAGE_DIGITS = 6

/** A number as `0.digits` times ten to the power of `point`. */
interface Normal {
  readonly isNegative: boolean
  /** Without leading and trailing zeros; empty for zero. */
  readonly digits: string
  readonly point: number
}

/** Results have fewer places before and behind their point: nearer to zero than a literal beyond is none but zero. */
const MOST_PLACES = 1_000

/** The number of a literal in a form that every database reads. Beyond all results the exact value has no meaning. */
export function exactLiteral(text: string): string {
  const { digits, exponent, isNegative } = partsOf(text)
  if (digits === '') return '0'
  const point = digits.length + exponent
  const sign = isNegative ? '-' : ''
  return Math.abs(point) > MOST_PLACES ? `${sign}1e${Math.sign(point) * MOST_PLACES}` : `${sign}${digits}e${exponent}`
}

/** Added to the position of the point, so that it is a positive number of five digits. */
const POINT_BIAS = 50_000
/** Sorts after all digits: of two negative numbers, the one with more digits is the smaller one. */
const END_OF_NEGATIVE = '~'
const ZERO = '1'

/** The key of a number in units of its last digit. */
export function keyOfUnits(units: bigint, scale: number): string {
  return keyOfText(decimalText(units, scale))
}

/** The key of a number's text. */
export function keyOfText(text: string): string {
  const { digits, exponent, isNegative } = partsOf(text)
  if (digits === '') return ZERO
  const magnitude = String(digits.length + exponent + POINT_BIAS).padStart(5, '0') + digits
  return isNegative ? `0${complement(magnitude)}${END_OF_NEGATIVE}` : `2${magnitude}`
}

/** The number of a key with all its digits, and without an exponent. */
export function textOfKey(key: string): string {
  const { isNegative, digits, point } = normalOf(key)
  const sign = isNegative ? '-' : ''
  if (point <= 0) return digits === '' ? '0' : `${sign}0.${'0'.repeat(-point)}${digits}`
  if (point >= digits.length) return sign + digits.padEnd(point, '0')
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
}

function normalOf(key: string): Normal {
  if (key === ZERO) return { isNegative: false, digits: '', point: 0 }
  const isNegative = key.startsWith('0')
  const magnitude = isNegative ? complement(key.slice(1, -1)) : key.slice(1)
  return { isNegative, digits: magnitude.slice(5), point: Number(magnitude.slice(0, 5)) - POINT_BIAS }
}

/** Each digit as the difference to 9. */
function complement(digits: string): string {
  return digits.replace(/\d/g, (digit) => String(9 - Number(digit)))
}

/**
 * The key of a sum divided by a count, rounded half to even at `AVERAGE_DIGITS` places behind those of `scale`, or
 * without it behind those of the sum. Of no values it is 0.
 */
export function averageKey(sum: string, count: bigint, scale: number | undefined): string {
  if (count === 0n) return ZERO
  const { isNegative, digits, point } = normalOf(sum)
  const own = Math.max(0, digits.length - point)
  const places = (scale ?? own) + AVERAGE_DIGITS
  const units = BigInt(digits + '0'.repeat(places + point - digits.length))
  const [quotient, rest] = [units / count, (units % count) * 2n]
  const isUp = rest > count || (rest === count && quotient % 2n === 1n)
  const rounded = quotient + (isUp ? 1n : 0n)
  return keyOfUnits(isNegative ? -rounded : rounded, places)
}

/** From this magnitude on, the sum of two doubles may be rounded. */
const MAX_EXACT = 2 ** 52

/** Adds numbers without rounding. A double counts as the shortest decimal that is read as the same double. */
export class ExactSum {
  /** The sum of small units, by their number of decimal places. */
  readonly #small: number[] = []
  readonly #large: bigint[] = []

  add(value: number | bigint): void {
    if (typeof value === 'bigint') this.#addLarge(value, 0)
    else if (Number.isFinite(value)) this.#addDouble(value)
  }

  #addDouble(value: number): void {
    const text = String(value)
    const point = text.indexOf('.')
    const places = point < 0 ? 0 : text.length - point - 1
    const units = point < 0 ? value : Number(text.slice(0, point) + text.slice(point + 1))
    if (Math.abs(units) >= MAX_EXACT || text.includes('e')) {
      this.addText(text)
      return
    }
    const sum = (this.#small[places] ?? 0) + units
    this.#small[places] = sum
    if (Math.abs(sum) < MAX_EXACT) return
    this.#small[places] = 0
    this.#addLarge(BigInt(sum), places)
  }

  get key(): string {
    const places = Math.max(0, this.#small.length - 1, this.#large.length - 1)
    let units = 0n
    for (let at = 0; at <= places; at++) {
      const sum = (this.#large[at] ?? 0n) + BigInt(this.#small[at] ?? 0)
      if (sum !== 0n) units += sum * 10n ** BigInt(places - at)
    }
    return keyOfUnits(units, places)
  }

  /** The text of a number. */
  addText(text: string): void {
    const { digits, exponent, isNegative } = partsOf(text)
    const units = BigInt(digits + '0'.repeat(Math.max(0, exponent)))
    this.#addLarge(isNegative ? -units : units, Math.max(0, -exponent))
  }

  #addLarge(units: bigint, places: number): void {
    this.#large[places] = (this.#large[places] ?? 0n) + units
  }
}
