import { describe, expect, test } from 'vitest'
import { asBoolean, asInteger, asNumber, asText } from './scalars.ts'
import type { JsonValue } from './strict-json.ts'

type Row = readonly [JsonValue, JsonValue | undefined]

const TEXTS: Row[] = [
  ['', ''],
  ['12', '12'],
  [12, '12'],
  [-12.5, '-12.5'],
  [0.1, '0.1'],
  [-0, '0'],
  [2 ** 53 - 1, '9007199254740991'],
  [2 ** 53, undefined],
  [1e21, undefined],
  [1e-7, undefined],
  [0.1 + 0.2, undefined],
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
  [0.1 + 0.2, 0.3],
  [1234567890.1234567, 1234567890.12346],
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
