// Sums of numbers in the plain form, such as -1234.5, with all of their digits.

/** As many digits as there are; no exponent. */
const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/

/** Adds numbers in the plain form; others count as nothing. */
export function sumOf(texts: readonly string[]): string {
  const numbers = texts.filter((text) => PLAIN_NUMBER.test(text))
  const places = Math.max(0, ...numbers.map((text) => (text.split('.')[1] ?? '').length))
  const units = numbers.reduce((sum, text) => {
    const [whole = '', fraction = ''] = text.split('.')
    return sum + BigInt(whole + fraction.padEnd(places, '0'))
  }, 0n)
  if (places === 0) return String(units)
  const digits = String(units < 0n ? -units : units).padStart(places + 1, '0')
  return `${units < 0n ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`.replace(/\.?0+$/, '')
}

export const negated = (text: string): string => (text.startsWith('-') ? text.slice(1) : `-${text}`)

export const differenceOf = (text: string, before: string): string => sumOf([text, negated(before)])

/** Whether no digit of it is another one than zero. */
export const isZero = (text: string): boolean => /^-?0*(?:\.0*)?$/.test(text)

export const isNegative = (text: string): boolean => text.startsWith('-') && !isZero(text)
