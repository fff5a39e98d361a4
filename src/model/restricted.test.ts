import { describe, expect, it } from 'vitest'
import { association, type DocumentDefinition, group, list, value } from './document.ts'
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
