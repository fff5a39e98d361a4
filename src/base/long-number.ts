// Numbers in decimal, as their texts say them: whether a double keeps all digits of one, and what stands for one that
// it does not keep.

/** A double keeps so many digits of every number; of more it keeps only some. */
export const SIGNIFICANT_DIGITS = 15

/** Nearer to zero a double has fewer digits. */
const SMALLEST_NORMAL = 2 ** -1022

/** Node's own, which the types of TypeScript do not know yet. */
const { parse, rawJSON } = JSON as unknown as {
  parse(
    text: string,
    reviver: (name: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown
  rawJSON(text: string): unknown
}

/** As JSON writes numbers, but for leading zeros. Longer texts are no numbers that somebody meant. */
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i
export const LONGEST_NUMBER = 64

/** A number of a JSON text that is another one as a double. Its text is a JSON number, however long. */
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

/** Of a JSON text that the service has written itself. Few have a number that no double keeps, and the native parser is fast. */
export function parseExact(text: string): unknown {
  return LONG_RUN.test(text) ? parse(text, keepLong) : JSON.parse(text)
}

/** Without so many digits beside each other there is no long number. */
const LONG_RUN = /[\d.]{16}/

function keepLong(_name: string, value: unknown, { source }: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || source === undefined || isWrittenBackAlike(source, value)) return value
  return new LongNumber(source)
}

/** Whether the double that was made of the text is written as the same number. */
export function isWrittenBackAlike(text: string, number: number): boolean {
  return isShort(text, number) || isSameDecimal(text, String(number))
}

/** Whether the double that was made of the text keeps it, as it keeps every number of so many digits. */
export function keepsDigits(text: string, number: number): boolean {
  return isShort(text, number) || isSameDecimal(text, number.toPrecision(SIGNIFICANT_DIGITS))
}

/** Whether two decimal numbers are one: `1.50` and `15e-1` are. */
export function isSameDecimal(one: string, other: string): boolean {
  const [left, right] = [partsOf(one), partsOf(other)]
  return left.digits === right.digits && left.exponent === right.exponent && left.isNegative === right.isNegative
}

/** With so few characters nothing can be lost, but where a double comes to its end. */
function isShort(text: string, number: number): boolean {
  return text.length <= SIGNIFICANT_DIGITS && (isNormal(number) || text.length === 1)
}

/** Whether a double this near to zero has all its digits. */
export function isNormal(number: number): boolean {
  return Math.abs(number) >= SMALLEST_NORMAL
}

interface Parts {
  /** Without zeros at both ends; empty for zero. */
  readonly digits: string
  /** Of ten, behind the digits. */
  readonly exponent: number
  readonly isNegative: boolean
}

/** The parts of a text that is a number. Zeros are counted by hand: an expression would go back and forth over long ones. */
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
