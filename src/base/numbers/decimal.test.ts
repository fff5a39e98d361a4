import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LongNumber } from '../long-number.ts'
import { parseJson } from '../strict-json.ts'
import { asDecimal, BEYOND, decimalText, exactOf, floorUnits, unitsOf } from './decimal.ts'

test.each([
  [12.5, 125_000],
  ['12.50', 125_000],
  ['-0.0001', -1],
  [-0, 0],
  ['0e9', 0],
  ['1e3', 10_000_000],
  [0.1 + 0.2, undefined],
  ['0.00001', undefined],
  ['1e-400', undefined],
  ['1e400', undefined],
  ['-12345678901234.56', '-123456789012345600'],
  [new LongNumber('12345678901234.5678'), '123456789012345678'],
  ['99999999999999.9999', '999999999999999999'],
  ['100000000000000', undefined],
  [1e14, undefined],
  [99_999_999_999_999, '999999999999990000'],
  ['900719925474.0991', 9_007_199_254_740_991],
  ['900719925474.0992', '9007199254740992'],
  ['12,5', undefined],
  ['', undefined],
  [true, undefined],
  [null, undefined],
])('%j is %j units of scale 4', (value, units) => expect(unitsOf(value, 4)).toBe(units))

const scale = fc.integer({ min: 0, max: 9 })
const units = fc.oneof(
  fc.bigInt({ min: -BEYOND + 1n, max: BEYOND - 1n }),
  fc.bigInt({ min: -(10n ** 16n), max: 10n ** 16n }),
  fc.bigInt({ min: -1_000n, max: 1_000n }),
)

describe('a decimal', () => {
  test('is what its shortest text says, sent as JSON or as a text', () => {
    fc.assert(
      fc.property(units, scale, (one, digits) => {
        const text = decimalText(one, digits)
        expect(text).toMatch(/^-?(0|[1-9]\d*)(\.\d*[1-9])?$/)
        expect(BigInt(unitsOf(text, digits) ?? '')).toBe(one)
        expect(BigInt(unitsOf(parseJson(text), digits) ?? '')).toBe(one)
        expect(JSON.stringify(asDecimal(parseJson(text), digits))).toBe(text)
        expect(asDecimal(parseJson(`${text}${text.includes('.') ? '' : '.0'}0`), digits)).toEqual(
          exactOf(String(one), digits),
        )
      }),
    )
  })

  test('has no more digits than its scale', () => {
    fc.assert(
      fc.property(units, scale, (one, digits) => {
        fc.pre(one % 10n !== 0n)
        expect(unitsOf(parseJson(decimalText(one, digits + 1)), digits)).toBeUndefined()
      }),
    )
  })
})

test.each([
  ['0.00001', 0n, false],
  ['-0.00001', -1n, false],
  ['12.50000', 125_000n, true],
  ['12.50009', 125_000n, false],
  ['-12.50009', -125_001n, false],
  ['1e-300', 0n, false],
  ['-1e-300', -1n, false],
  ['1e300', BEYOND, true],
  ['-1e300', -BEYOND, true],
  ['99999999999999.99999', 999_999_999_999_999_999n, false],
  ['+.5', 5_000n, true],
] as const)('%s stands at or above %s of scale 4', (text, floor, isExact) => {
  expect(floorUnits(text, 4)).toEqual({ floor, isExact })
})
