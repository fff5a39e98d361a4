// Random calls of the tools of agents: most of them legal, the others with one argument that is not.
import fc from 'fast-check'
import { bodyOf, replace } from './customers.ts'

export interface RandomCall {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

type Arbitraries = Record<string, fc.Arbitrary<unknown>>

const one = <T>(...values: T[]) => fc.constantFrom(...values)
const company = one('EN', 'NU')
const document = one('customers', 'attribute-values', 'attribute-relations', 'attributes', 'companies', 'value-list')
const customer = one('R0', 'R1', 'R2', 'R3', 'NONE').map((customerId) => ({ customerId }))
const filter = one("companyId eq 'EN'", "companyId ne 'x' and not (companyId eq 'SV')", "companyId in ('EN', 'NU')")

/** A call with these arguments, and some of those that may be left out. */
function legal(name: string, required: Arbitraries, optional: Arbitraries = {}): fc.Arbitrary<RandomCall> {
  const all = { ...required, ...optional }
  return fc.record(all, { requiredKeys: Object.keys(required) }).map((args) => ({ name, args }))
}

const ofCustomers = { document: one('customers') }

const LEGAL = [
  legal('describe', {}, { document, company }),
  legal(
    'query',
    { document },
    { filter, company, limit: fc.integer({ min: 1, max: 100 }), cursor: one('0', '1', '3') },
  ),
  legal('query', ofCustomers, {
    select: one('*', 'customerId,contactPoints', 'countryCode[C;T]'),
    orderBy: one('customerId desc'),
  }),
  legal('aggregate', { document, compute: one('count()') }, { filter, company }),
  legal(
    'aggregate',
    { ...ofCustomers, compute: one('count()', 'sum(invoice/creditLimit) as total', 'max(customerName)') },
    {
      by: fc.subarray(['countryCode', 'customerGroupId', 'customerId']),
      having: one('count gt 0'),
    },
  ),
  legal('read', { ...ofCustomers, key: customer }),
  legal('search_documents', { words: one('fish', 'two words') }, { start: fc.nat(50) }),
  legal('read_document', { id: fc.uuid() }, { page: fc.integer({ min: 1, max: 9 }) }),
  legal('history', { ...ofCustomers, key: customer }, { before: fc.nat(500).map(String) }),
  legal('explain_access', {}, { document, company }),
  legal('propose_change', {
    ...ofCustomers,
    operation: one('update'),
    key: customer,
    operations: fc.array(
      fc.string({ maxLength: 20 }).map((text) => replace('/customerName', text)),
      { maxLength: 3 },
    ),
  }),
  legal('propose_change', { ...ofCustomers, operation: one('delete'), key: customer }),
  legal('propose_change', {
    ...ofCustomers,
    operation: one('create'),
    record: fc.oneof(
      fc.uuid().map((id) => bodyOf(id.slice(0, 8))),
      fc.record({ customerName: fc.string() }, { requiredKeys: [] }),
    ),
  }),
]

/** The service refuses the whole message for a name that has a meaning in JavaScript. */
const odd = fc
  .oneof(
    fc.integer({ min: -5, max: 200 }),
    one<unknown>('', 'SV', 'x'.repeat(5_000), {}, []),
    fc.jsonValue({ maxDepth: 2 }),
  )
  .filter((value) => !JSON.stringify(value).includes('__proto__'))

const names = one(
  'document',
  'key',
  'company',
  'filter',
  'select',
  'limit',
  'operation',
  'record',
  'page',
  'by',
  'words',
  'more',
)

export const randomCall: fc.Arbitrary<RandomCall> = fc.oneof(
  { weight: 2, arbitrary: fc.oneof(...LEGAL) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.oneof(...LEGAL), names, odd)
      .map(([{ name, args }, argument, value]) => ({ name, args: { ...args, [argument]: value } })),
  },
)
