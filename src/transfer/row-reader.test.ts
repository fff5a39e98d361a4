import { describe, expect, it } from 'vitest'
import { association, type DocumentDefinition, group, lastUpdated, list, value } from '../model/document.ts'
import { declaredDefinition } from '../setup/rules/external-document.ts'
import { RowReader } from './row-reader.ts'

const orders: DocumentDefinition = {
  name: 'orders',
  version: 1,
  description: '',
  table: 'own_orders',
  companyColumn: 'company_id',
  joins: {},
  key: ['companyId', 'orderId'],
  properties: {
    companyId: value('string', 'company_id'),
    orderId: value('integer', 'order_id'),
    isOpen: value('boolean', { column: 'is_open', storedAs: 'flag' }),
    note: value('string', 'note'),
    named: value('string', { table: 'a', column: 'name' }),
    plan: group({ start: value('date-time', 'plan_start'), hours: value('number', 'plan_hours') }),
    lastUpdated,
  },
}
const reader = new RowReader(orders, 'EN')
const withLists = new RowReader(
  {
    ...orders,
    properties: {
      ...orders.properties,
      points: list({ no: value('integer', { path: ['no'] }) }, { json: 'points' }),
      own: group({ field: value('string', 'field') }, { isOnRequest: true }),
      other: association(orders, []),
    },
  },
  'EN',
)

describe('a row', () => {
  it('is read by names in any letter case, with its values in the types of the columns', () => {
    const row = { ORDERID: '7', isopen: 'TRUE', Plan: { Start: '2026-01-31', hours: '1.50' }, companyid: 'en' }
    expect(reader.read(row)).toEqual({
      columns: { order_id: 7, is_open: 1, plan_start: '2026-01-31T00:00:00.000Z', plan_hours: 1.5 },
      findings: [],
    })
  })

  it('has texts in its key that an index holds whole, counted in characters', () => {
    const text = { type: 'string' } as const
    const parts = {
      name: 'parts',
      key: ['companyId', 'a', 'b', 'c'],
      properties: { companyId: text, a: text, b: text, c: text },
    }
    const ofParts = new RowReader(declaredDefinition(parts), 'EN')
    const longest = '\u{20000}'.repeat(200)
    expect(ofParts.read({ a: longest, b: longest, c: longest }).findings).toEqual([])
    expect(ofParts.read({ a: 'x', b: `${longest}x`, c: 'x' }).findings).toEqual([
      { column: 'b', message: 'must be a text of at most 200 characters without U+0000' },
    ])
  })

  it('passes over nulls, when it was changed, and what is read from elsewhere', () => {
    const row = { orderId: 1, note: null, lastUpdated: { updatedAt: 'x' }, named: 'x' }
    expect(reader.read(row)).toEqual({ columns: { order_id: 1 }, findings: [] })
  })

  it.each([
    [{ companyId: 'SV', orderId: 1 }, 'companyId', 'is not EN, into which is imported'],
    [{ note: 'x' }, 'orderId', 'The orderId field is required.'],
    [{ orderId: 1.5 }, 'orderId', 'must be of type integer, which 1.5 is not'],
    [
      { orderId: '9007199254740993' },
      'orderId',
      'must be an integer from -9007199254740991 to 9007199254740991, which 9007199254740993 is not',
    ],
    [
      { orderId: 1, plan: { hours: '12345678901234.56' } },
      'plan.hours',
      'must be a number of at most 15 significant digits, which 12345678901234.56 is not',
    ],
    [{ orderId: 1, isOpen: 'perhaps' }, 'isOpen', "must be of type boolean (true or false), which 'perhaps' is not"],
    [
      { orderId: 1, plan: { start: '2026-02-30' } },
      'plan.start',
      "must be of type date-time (2026-01-31), which '2026-02-30' is not",
    ],
    [{ orderId: 1, plan: 5 }, 'plan', 'must be an object'],
    [{ orderId: 1, plan: { hour: 1 } }, 'plan.hour', "there is no such property; did you mean 'hours'?"],
    [{ orderId: 1, nothing: 1 }, 'nothing', 'there is no such property'],
    [{ orderId: 1, __proto: 1 }, '__proto', 'there is no such property'],
    [{ orderId: 1, note: 'a', NOTE: 'b' }, 'note', 'stands twice'],
    [{ orderId: 1, note: 'x'.repeat(10_001) }, 'note', 'must be a text of at most 10000 characters without U+0000'],
  ])('%j is refused', (row, column, message) => {
    expect(reader.read(row).findings).toEqual([{ column, message }])
  })

  it('is told everything that is wrong with it', () => {
    const { findings } = reader.read({ companyId: 'SV', isOpen: 'x', plan: { hours: 'x' } })
    expect(findings.map(({ column }) => column)).toEqual(['companyId', 'isOpen', 'plan.hours', 'orderId'])
  })

  it('is told twenty of its many names that are none', () => {
    const row = Object.fromEntries(Array.from({ length: 9_000 }, (_, at) => [`orderIdd${at}`, 1]))
    expect([reader.read(row).findings.length, withLists.unknownIn(row).length]).toEqual([21, 20])
    expect(reader.read({ orderId: 1, ...row }).findings).toHaveLength(20)
  })

  it('of a resource with rules of its own is looked at for its names alone', () => {
    const row = { orderId: 'x', plan: { hour: 1 }, points: [{ any: 1 }], own: { any: 1 }, notificationMessages: {} }
    expect(withLists.unknownIn(row).map(({ column }) => column)).toEqual(['plan.hour'])
  })
})
