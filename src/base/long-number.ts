// Exact decimal numbers: whether a double represents all digits of a number's text, and LongNumber for those others.

/** A double preserves this many digits of every number. */
export const SIGNIFICANT_DIGITS = 15

/** Below this, doubles are subnormal and have fewer digits. */
const SMALLEST_NORMAL = 2 ** -1022

/** Source text access for JSON (ES2026), which TypeScript's types lack. */
const { parse, rawJSON, isRawJSON } = JSON as unknown as {
  parse(
    text: string,
    reviver: (name: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown
  rawJSON(text: string): unknown
  isRawJSON(value: unknown): value is { readonly rawJSON: string }
}

/** JSON's syntax for numbers, but with leading zeros. */
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i
/** Longer texts are not taken for numbers. */
export const LONGEST_NUMBER = 64

/** A number in a JSON text that a double cannot represent. Its text is a JSON number of any length. */
export class LongNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toJSON(): unknown {
    return rawJSON(this.text)
  }
}

/** Whether a text is a number that is not too large for a double. */
export function isNumberText(text: string): boolean {
  return text.length <= LONGEST_NUMBER && NUMBER.test(text) && Number.isFinite(Number(text))
}

/** Parses JSON that the service has written itself; natively without a reviver, unless it may hold a LongNumber. */
export function parseExact(text: string): unknown {
  return LONG_RUN.test(text) ? parse(text, reviveLong) : JSON.parse(text)
}

/** Every LongNumber has so many adjacent digits. */
const LONG_RUN = /[\d.]{16}/

function reviveLong(_name: string, value: unknown, { source }: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || source === undefined || roundTrips(source, value)) return value
  return new LongNumber(source)
}

/** Parses JSON whose numbers are objects that print as they were written. */
export function parseAsWritten(text: string): unknown {
  return parse(text, (_name, value, { source }) =>
    typeof value === 'number' && source !== undefined ? rawJSON(source) : value,
  )
}

/** The digits of a number of `parseAsWritten`; undefined for anything else. */
export function digitsAsWritten(value: unknown): string | undefined {
  return isRawJSON(value) ? value.rawJSON : undefined
}

/** Whether the double parsed from the text is written as the same number. */
export function roundTrips(text: string, number: number): boolean {
  return isShort(text, number) || isSameDecimal(text, String(number))
}

/** Whether the double parsed from the text preserves its digits, which is guaranteed up to 15 of them. */
export function keepsDigits(text: string, number: number): boolean {
  return isShort(text, number) || isSameDecimal(text, number.toPrecision(SIGNIFICANT_DIGITS))
}

/** Whether two decimal numbers are equal, such as `1.50` and `15e-1`. */
export function isSameDecimal(one: string, other: string): boolean {
  const [left, right] = [partsOf(one), partsOf(other)]
  return left.digits === right.digits && left.exponent === right.exponent && left.isNegative === right.isNegative
}

/** A fast check: so few characters lose nothing, unless the double is subnormal. */
function isShort(text: string, number: number): boolean {
  return text.length <= SIGNIFICANT_DIGITS && (isNormal(number) || text.length === 1)
}

/** Whether the double is not subnormal, so that it has full precision. */
export function isNormal(number: number): boolean {
  return Math.abs(number) >= SMALLEST_NORMAL
}

interface Parts {
  /** Without leading and trailing zeros; empty for zero. */
  readonly digits: string
  /** The power of ten that the digits are multiplied by. */
  readonly exponent: number
  readonly isNegative: boolean
}

/** The parts of a number's text. Zeros are counted in a loop: a regular expression would backtrack over many. */
export function partsOf(text: string): Parts {
  const mark = text.search(/e/i)
  const mantissa = mark < 0 ? text : text.slice(0, mark)
  const isNegative = mantissa.startsWith('-')
  const unsigned = mantissa.slice(/^[+-]/.test(mantissa) ? 1 : 0)
  const point = unsigned.indexOf('.')
  const all = point < 0 ? unsigned : unsigned.slice(0, point) + unsigned.slice(point + 1)
  let [start, end] = [0, all.length]
  while (start < end && all.charCodeAt(start) === ZERO) start++
  while (end > start && all.charCodeAt(end - 1) === ZERO) end--
  if (start === end) return { digits: '', exponent: 0, isNegative: false }
  const decimals = point < 0 ? 0 : unsigned.length - point - 1
  const exponent = (mark < 0 ? 0 : Number(text.slice(mark + 1))) - decimals + (all.length - end)
  return { digits: all.slice(start, end), exponent, isNegative }
}

const ZERO = 0x30
