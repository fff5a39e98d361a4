import { expect, it } from 'vitest'
import { documentOf } from './metadata.ts'

it('knows sums of amounts, which a program reads as any number, by their being computed', () => {
  const properties = {
    amount: { type: 'number', format: 'decimal' },
    total: { type: 'number', readOnly: true },
    lines: { type: 'integer', readOnly: true },
    factor: { type: 'number' },
  }
  const { fields } = documentOf('orders', { items: { properties } })
  expect(fields.map(({ path, kind }) => [path, kind])).toEqual([
    ['amount', 'decimal'],
    ['total', 'decimal'],
    ['lines', 'integer'],
    ['factor', 'number'],
  ])
})
