import { expect, it } from 'vitest'
import { auditedChange } from './audited-change.ts'

const before = {
  customerName: 'Solheim',
  payment: { bankAccount: '1', status: 'N' },
  points: [{ a: 1 }],
  lastUpdated: 1,
}

it('names the record and the members that differ', () => {
  const after = {
    ...before,
    payment: { bankAccount: '2', status: 'N' },
    points: [{ a: 2 }],
    lastUpdated: 2,
    alias: 'S',
  }
  expect(auditedChange(JSON.stringify(before), JSON.stringify(after))).toEqual({
    name: 'Solheim',
    changed: ['/payment/bankAccount', '/points', '/alias'],
  })
})

it.each([
  ['', JSON.stringify(before)],
  [JSON.stringify(before), ''],
])('names the record that was created or removed', (was, is) => {
  expect(auditedChange(was, is)).toEqual({ name: 'Solheim', changed: [] })
})

it.each(['', 'no JSON', '[]', 'null'])('says nothing of %j', (text) => {
  expect(auditedChange(text, text)).toEqual({ name: '', changed: [] })
})
