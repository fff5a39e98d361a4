import fc from 'fast-check'
import { expect, it } from 'vitest'
import { averageKey, ExactSum, exactLiteral, keyOfText, keyOfUnits, textOfKey } from './exact.ts'

const units = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n })
const decimal = fc.tuple(units, fc.nat(30))

/** Compares `units / 10^places`. */
function compare([one, ofOne]: [bigint, number], [other, ofOther]: [bigint, number]): number {
  const [left, right] = [one * 10n ** BigInt(ofOther), other * 10n ** BigInt(ofOne)]
  return left < right ? -1 : left > right ? 1 : 0
}

it('sorts keys as their numbers, equal only if these are', () => {
  const pair = fc.oneof(
    fc.tuple(decimal, decimal),
    fc.tuple(fc.bigInt(-99n, 99n), fc.nat(2)).map((one) => [one, one]),
  )
  fc.assert(
    fc.property(pair as fc.Arbitrary<[[bigint, number], [bigint, number]]>, ([one, other]) => {
      const [left, right] = [keyOfUnits(...one), keyOfUnits(...other)]
      expect(left < right ? -1 : left > right ? 1 : 0).toBe(compare(one, other))
    }),
    { numRuns: 2_000 },
  )
})

it('keeps every digit of a number', () => {
  for (const text of [
    '0',
    '1',
    '-1',
    '0.5',
    '-0.001',
    '1200',
    '12345678901234567890.123456789',
    '-100000000000000000000',
  ]) {
    expect(textOfKey(keyOfText(text))).toBe(text)
  }
  expect(textOfKey(keyOfText('1.50e3'))).toBe('1500')
  expect(textOfKey(keyOfText('5e-324'))).toBe(`0.${'0'.repeat(323)}5`)
})

it('adds doubles as the decimals that they are written as', () => {
  const sumOf = (values: readonly (number | bigint)[]) => {
    const sum = new ExactSum()
    for (const value of values) sum.add(value)
    return textOfKey(sum.key)
  }
  expect(sumOf([])).toBe('0')
  expect(sumOf([0.1, 0.2])).toBe('0.3')
  expect(sumOf([1e300, 1e-7, -1e300])).toBe('0.0000001')
  expect(sumOf([9007199254740993n, 0.5])).toBe('9007199254740993.5')
  expect(sumOf(Array.from({ length: 3_000 }, () => 2 ** 52 - 1))).toBe(String(3_000n * (2n ** 52n - 1n)))
  expect(sumOf([Number.NaN, Number.POSITIVE_INFINITY, 1])).toBe('1')
})

it('rounds averages half to even at six places more', () => {
  const average = (sum: string, count: bigint, scale?: number) => textOfKey(averageKey(keyOfText(sum), count, scale))
  expect(average('0', 0n, 4)).toBe('0')
  expect(average('2', 3n, 0)).toBe('0.666667')
  expect(average('-2', 3n, 0)).toBe('-0.666667')
  expect(average('1', 128n, 0)).toBe('0.007812')
  expect(average('3', 128n, 0)).toBe('0.023438')
  expect(average('-1', 128n, 0)).toBe('-0.007812')
  expect(average('0.1', 3n)).toBe('0.0333333')
  expect(average('1e20', 3n)).toBe('33333333333333333333.333333')
})

it('is within half a unit of the exact average, whatever the numbers', () => {
  fc.assert(
    fc.property(decimal, fc.bigInt(1n, 10n ** 9n), ([sum, places], count) => {
      const rounded = textOfKey(averageKey(keyOfUnits(sum, places), count, places))
      const [whole = '', fraction = ''] = rounded.split('.')
      const found = BigInt(whole + fraction.padEnd(places + 6, '0'))
      const twice = (found * count - sum * 10n ** 6n) * 2n
      const distance = twice < 0n ? -twice : twice
      expect(distance <= count).toBe(true)
      if (distance === count) expect(found % 2n).toBe(0n)
    }),
  )
})

it('writes literals in a form that every database reads', () => {
  expect(exactLiteral('+1.50')).toBe('15e-1')
  expect(exactLiteral('-0')).toBe('0')
  expect(exactLiteral('-1e-99999999999')).toBe('-1e-1000')
  expect(exactLiteral('0.0000e99999999999')).toBe('0')
})
