import { describe, expect, it } from 'vitest'
import { association, type DocumentDefinition, group, list, value } from '../model/document.ts'
import { planCollection } from './plan.ts'
import { filterShape, orderShape, pathOfColumn, sampleOf, withoutKinds } from './shape.ts'

const other: DocumentDefinition = {
  name: 'others',
  version: 1,
  description: '',
  table: 'other',
  companyColumn: 'company_id',
  joins: {},
  key: ['id'],
  properties: { id: value('string', 'id'), address: group({ city: value('string', 'city') }) },
}

const definition: DocumentDefinition = {
  ...other,
  name: 'orders',
  table: 'orders',
  key: ['companyId', 'orderNo'],
  properties: {
    companyId: value('string', 'company_id'),
    orderNo: value('integer', 'order_no'),
    note: value('string', 'note'),
    isOpen: value('boolean', 'is_open'),
    plan: group({ start: value('date-time', 'plan_start'), hours: value('number', 'plan_hours') }),
    lines: list(
      { text: value('string', { path: ['text'] }), no: value('integer', { path: ['no'] }) },
      { json: 'lines' },
    ),
    customer: association(other, [['customer_id', 'id']]),
  },
}

const shapeOf = (filter: string) => {
  const plan = planCollection(definition, { filter, select: undefined, orderBy: undefined, offset: 0, limit: 1 })
  return plan.filter ? filterShape(definition, plan.filter) : ''
}

describe('the shape of a filter', () => {
  it.each([
    ["note eq 'canary'", 'note eq ?text'],
    ["note eq 'c'", 'note eq ?string'],
    ["NOTE ne 'canary' and plan/hours gt 7.25", 'note ne ?text and plan/hours gt ?number'],
    ['(orderNo eq 7 or orderNo eq 8) and isOpen', '(orderNo eq ?integer or orderNo eq ?integer) and isOpen'],
    ["not (note in ('canary','b','d'))", 'not (note in (?text, ?string))'],
    ["contains(tolower(note),'canary')", 'contains(tolower(note),?text)'],
    ['plan/start ge 2026-01-31', 'plan/start ge ?date-time'],
    ['date(plan/start) eq 2026-01-31', 'date(plan/start) eq ?date'],
    ["lines/any(l: l/text eq 'canary' and l/no gt 1)", 'lines/any(x0: x0/text eq ?text and x0/no gt ?integer)'],
    ['lines/any()', 'lines/any()'],
    ["customer/address/city eq 'canary'", 'customer/address/city eq ?text'],
  ])('of %s has no value in it, and a question of that shape has the same', (filter, shape) => {
    expect(shapeOf(filter)).toBe(shape)
    expect(shapeOf(sampleOf(shape))).toBe(shape)
    expect(withoutKinds(shape)).not.toMatch(/canary|\?\w/)
  })
})

describe('the shape of an order', () => {
  it.each([
    [undefined, ''],
    ['note desc', 'note desc'],
    ['plan/start, orderNo desc', 'plan/start, orderNo desc, companyId'],
    ['customer/id', 'customer/id'],
  ])('of %s leaves out the key at its end', (orderBy, shape) => {
    const plan = planCollection(definition, { filter: undefined, select: undefined, orderBy, offset: 0, limit: 1 })
    expect(orderShape(definition, plan.order)).toBe(shape.replace(', companyId', ''))
  })
})

it('finds the path of a column', () => {
  expect([
    pathOfColumn(definition.properties, 'plan_hours'),
    pathOfColumn(definition.properties, 'note'),
    pathOfColumn(definition.properties, 'city'),
  ]).toEqual(['plan/hours', 'note', undefined])
})
