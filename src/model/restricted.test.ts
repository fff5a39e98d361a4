import { describe, expect, it } from 'vitest'
import { association, type DocumentDefinition, group, list, recordLines, type Term, value } from './document.ts'
import { type DocumentRule, restricted } from './restricted.ts'

const customers: DocumentDefinition = {
  name: 'customers',
  version: 1,
  description: '',
  table: 'customer',
  companyColumn: 'company_id',
  joins: {},
  key: ['customerId'],
  properties: {
    customerId: value('string', 'customer_id'),
    payment: group({ bankAccount: value('string', 'bank_account'), status: value('string', 'status') }),
    points: list({ place: value('string', { path: ['place'] }) }, { json: 'points' }),
  },
}
const orders: DocumentDefinition = {
  ...customers,
  name: 'orders',
  properties: { customerId: value('string', 'customer_id'), customer: association(customers, []) },
}

const rules = (name: string, hidden: string[], filters?: string[]) =>
  new Map<string, DocumentRule>([[name, { hidden: new Set(hidden), filters }]])
const namesOf = ({ properties }: DocumentDefinition) => Object.keys(properties)

describe('a restricted document', () => {
  it('is the document itself where the rules say nothing of it', () => {
    expect(restricted(customers, rules('orders', ['x']))).toBe(customers)
  })

  it('is made once for the same rules', () => {
    const one = rules('customers', ['points'])
    expect(restricted(customers, one)).toBe(restricted(customers, one))
    expect(restricted(customers, one)).not.toBe(restricted(customers, rules('customers', ['points'])))
  })

  it('hides what is computed of what it hides, in answers that are kept too', () => {
    const typed = { type: 'exact', scale: 2, maxLength: 0 } as const
    const price: Term = { ...typed, kind: 'property', path: 'price', source: { column: 'price' } }
    const twice: Term = { ...typed, kind: 'call', name: 'add', args: [price, price] }
    const priced = { price: value('decimal', 'price', { scale: 2 }), twice: value('exact', { computed: twice }) }
    const items: DocumentDefinition = { ...customers, name: 'items', properties: priced }
    const lines = recordLines({ document: items, on: [], orderBy: [] }, {})
    const sum: Term = { ...typed, kind: 'lines', path: 'lines', lines, sumOf: twice }
    const count: Term = { ...typed, kind: 'lines', path: 'lines', lines, sumOf: undefined }
    const properties = { lines, sum: value('exact', { computed: sum }), count: value('integer', { computed: count }) }
    const bills: DocumentDefinition = { ...customers, name: 'bills', properties }
    const seen = (...given: Parameters<typeof rules>) => restricted(bills, rules(...given))
    expect(namesOf(seen('items', ['price']))).toEqual(['lines', 'count'])
    expect(seen('items', ['price']).restriction).toMatchObject({ filters: undefined, hidden: new Set(['sum']) })
    expect(namesOf(seen('items', [], ['twice gt 1']))).toEqual(['lines'])
    expect(namesOf(seen('bills', ['lines']))).toEqual([])
    expect(namesOf(restricted(items, rules('items', ['price'])))).toEqual([])
    expect(namesOf(seen('items', ['other']))).toEqual(['lines', 'sum', 'count'])
  })

  it.each([
    [['points'], ['customerId', 'payment']],
    [['payment'], ['customerId', 'points']],
    [['payment/bankaccount'], ['customerId', 'payment', 'points']],
    [
      ['payment/bankaccount', 'payment/status'],
      ['customerId', 'points'],
    ],
    [['nothing'], ['customerId', 'payment', 'points']],
  ])('without %s has %s', (hidden, names) => {
    expect(namesOf(restricted(customers, rules('customers', hidden)))).toEqual(names)
  })

  it('keeps what is not hidden as it is', () => {
    const { properties } = restricted(customers, rules('customers', ['payment/bankaccount']))
    expect(properties.points).toBe(customers.properties.points)
    expect(properties.payment).toEqual(group({ status: value('string', 'status') }))
  })

  it('knows the whole, for its filters', () => {
    const { restriction } = restricted(customers, rules('customers', ['payment'], ["payment/status eq 'N'"]))
    expect(restriction).toMatchObject({ whole: customers, filters: ["payment/status eq 'N'"] })
  })

  it('leads along its associations to restricted documents', () => {
    const found = restricted(orders, rules('customers', ['points']))
    expect(found.restriction).toBeUndefined()
    const { customer } = found.properties
    expect(customer?.kind === 'association' && namesOf(customer.document)).toEqual(['customerId', 'payment'])
  })
})
