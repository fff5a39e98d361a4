import { describe, expect, test } from 'vitest'
import { LongNumber } from '../long-number.ts'
import type { JsonValue } from '../strict-json.ts'
import { asBoolean, asInteger, asNumber, asText, lossOf } from './scalars.ts'

type Row = readonly [JsonValue, JsonValue | undefined]

const TEXTS: Row[] = [
  ['', ''],
  ['12', '12'],
  [12, '12'],
  [-12.5, '-12.5'],
  [0.1, '0.1'],
  [-0, '0'],
  [2 ** 53 - 1, '9007199254740991'],
  [2 ** 53, '9007199254740992'],
  [1e21, undefined],
  [1e-7, undefined],
  [0.1 + 0.2, '0.30000000000000004'],
  [new LongNumber('9007199254740993'), '9007199254740993'],
  [new LongNumber('0.30000000000000005'), '0.30000000000000005'],
  [new LongNumber('9007199254740993e1'), undefined],
  [new LongNumber('1'.repeat(65)), undefined],
  [true, undefined],
  [[], undefined],
  [{}, undefined],
]

const NUMBERS: Row[] = [
  [12.5, 12.5],
  ['12.5', 12.5],
  ['-0.50', -0.5],
  ['007', 7],
  ['1e3', 1000],
  [0.1 + 0.2, undefined],
  [1234567890.1234567, undefined],
  [12345678901234.5, 12345678901234.5],
  [12345678901234.56, undefined],
  ['12345678901234.56', undefined],
  ['12345678901234.50', 12345678901234.5],
  ['0.000000000000000000012', 1.2e-20],
  ['100000000000000000000', 1e20],
  [9007199254740991, undefined],
  ['9007199254740991', undefined],
  ['1e-400', undefined],
  ['4e-324', undefined],
  [5e-324, undefined],
  ['2.2250738585072014e-308', undefined],
  [2.5e-307, 2.5e-307],
  ['0.1e1', 1],
  ['-0.0', 0],
  ['0e999', 0],
  [new LongNumber('12345678901234.56'), undefined],
  ['', undefined],
  [' 1', undefined],
  ['1 ', undefined],
  ['1,5', undefined],
  ['.5', undefined],
  ['5.', undefined],
  ['+5', undefined],
  ['0x10', undefined],
  ['NaN', undefined],
  ['Infinity', undefined],
  ['1e400', undefined],
  ['1'.repeat(65), undefined],
  [true, undefined],
  [[1], undefined],
]

const INTEGERS: Row[] = [
  [202601, 202601],
  ['202601', 202601],
  [12.0, 12],
  ['12.0', 12],
  ['-7', -7],
  [2 ** 53 - 1, 2 ** 53 - 1],
  ['9007199254740991', 2 ** 53 - 1],
  [2 ** 53, undefined],
  ['9007199254740993', undefined],
  ['12.0000000000000000000001', undefined],
  [new LongNumber('9007199254740993'), undefined],
  [-(2 ** 53), undefined],
  [12.5, undefined],
  ['12.5', undefined],
  ['abc', undefined],
  ['', undefined],
  [false, undefined],
]

const BOOLEANS: Row[] = [
  [true, true],
  [false, false],
  ['true', true],
  ['True', true],
  ['FALSE', false],
  ['false', false],
  ['', undefined],
  ['yes', undefined],
  ['true ', undefined],
  [1, undefined],
  [0, undefined],
]

describe.each([
  ['text', asText, TEXTS],
  ['number', asNumber, NUMBERS],
  ['integer', asInteger, INTEGERS],
  ['boolean', asBoolean, BOOLEANS],
] as const)('as %s', (_, convert, rows) => {
  test.each(rows)('%j is %j', (given, expected) => expect(convert(given)).toBe(expected))
})

test('no zero has a sign', () => {
  expect(Object.is(asNumber(-0), 0)).toBe(true)
  expect(Object.is(asInteger('-0'), 0)).toBe(true)
})

test.each([
  ['number', new LongNumber('12345678901234.56'), true],
  ['number', 12345678901234.56, true],
  ['number', '12345678901234.56', true],
  ['number', '1e-400', true],
  ['number', '1e400', false],
  ['number', 'x', false],
  ['number', 1.5, false],
  ['number', true, false],
  ['integer', '9007199254740993', true],
  ['integer', new LongNumber('9007199254740993'), true],
  ['integer', 1e21, true],
  ['integer', 1.5, false],
  ['integer', new LongNumber('1.0000000000000000001'), false],
  ['string or number', new LongNumber('12345678901234.567'), true],
  ['string or number', '12345678901234.567', false],
  ['boolean', new LongNumber('12345678901234.567'), false],
] as const)('%s: whether %j would lose digits is %j', (kind, value, isLoss) => {
  expect(lossOf(kind, value) !== undefined).toBe(isLoss)
})
