import { expect, it } from 'vitest'
import type { FieldInfo } from '../../service/metadata.ts'
import { literalOf } from './typed-value.ts'

const field = (kind: FieldInfo['kind']) => ({ kind }) as FieldInfo

it.each([
  ['number', '', '.', 'null'],
  ['integer', '  ', '.', 'null'],
  ['date-time', '', '.', 'null'],
  ['text', '', '.', '""'],
  ['text', ' a ', '.', '" a "'],
  ['date-time', ' 2026-02-01 ', '.', '"2026-02-01"'],
  ['number', ' 12.50 ', '.', '12.50'],
  ['number', '1\u202f234.56', '.', '1234.56'],
  ['number', '-12 345 678', ',', '-12345678'],
  ['number', "1'234.5", '.', '1234.5'],
  ['number', '\u22125', '.', '-5'],
  ['number', '12,5', ',', '12.5'],
  ['number', '1.234,5', ',', '1234.5'],
  ['number', '1\u202f234,5', ',', '1234.5'],
  ['number', '1.5', ',', '1.5'],
  ['number', '12,5', '.', '"12,5"'],
  ['number', '1,234', '.', '"1,234"'],
  ['number', '1,234.50', '.', '1234.50'],
  ['number', '-1,234,567', '.', '-1234567'],
  ['number', '12 34', '.', '"12 34"'],
  ['number', 'ten', '.', '"ten"'],
  ['boolean', 'true', '.', 'true'],
] as const)('takes the %s %j where the decimal sign is %s for %s', (kind, text, decimal, json) => {
  expect(literalOf(text, field(kind), decimal)).toBe(json)
})
