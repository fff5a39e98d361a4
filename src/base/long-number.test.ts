import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSameDecimal, keepsDigits, LongNumber, roundTrips } from './long-number.ts'
import { parseJson } from './strict-json.ts'

test.each([
  ['1.50', '15e-1', true],
  ['0', '-0.00e5', true],
  ['100', '1E+2', true],
  ['1', '-1', false],
  ['1', '10', false],
  ['0.1', '0.10000000000000001', false],
  ['1e-400', '0', false],
])('whether %s and %s are one number is %j', (one, other, isSame) => expect(isSameDecimal(one, other)).toBe(isSame))

test('a double keeps every number of 15 digits', () => {
  const exponents = { min: -300, max: 290 }
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 10n ** 15n - 1n }), fc.integer(exponents), (digits, exponent) => {
      const text = `-${digits}e${exponent}`
      expect(keepsDigits(text, Number(text))).toBe(true)
      expect(roundTrips(text, Number(text))).toBe(true)
    }),
  )
})

test('a double is said to keep no number of more digits', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 10n ** 15n, max: 10n ** 25n }), (digits) => {
      fc.pre(digits % 10n !== 0n)
      expect(keepsDigits(`${digits}`, Number(digits))).toBe(false)
    }),
  )
})

test('JSON keeps the text of a number that no double is, and writes it again', () => {
  const text = '[9007199254740993,0.1,12345678901234.567,1e-400,[-0.30000000000000005]]'
  const [whole, short, long] = parseJson(text) as unknown[]
  expect([whole, short, long]).toEqual([new LongNumber('9007199254740993'), 0.1, new LongNumber('12345678901234.567')])
  expect(JSON.stringify(parseJson(text))).toBe(text)
})

test('a number as long as a body is read in one go', () => {
  const text = `1${'0'.repeat(300_000)}1`
  expect(isSameDecimal(`0.${text}`, text)).toBe(false)
  expect(parseJson(`[0.${text}]`)).toEqual([new LongNumber(`0.${text}`)])
})
