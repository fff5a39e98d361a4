// What is measured: the same requests for every subject.
import { randomUUID } from 'node:crypto'
import { ACCOUNTS, accountAt, CUSTOMERS, countryAt, PERIODS, periodAt, prefixAt } from './documents/seed.ts'

export const VALUES = 200_000
const DIFFERENT_REQUESTS = 2_000

export interface BenchRequest {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly body?: string
}

export interface Workload {
  readonly name: string
  /** Whether the subject is also measured with one commit per request. */
  readonly writes: boolean
  /** How many records an answer holds, where it is a collection. */
  readonly records?: number
  /** A request as a client would send it; unlike the one before where that matters. */
  next(): BenchRequest
}

export const valueAt = (index: number): string => `V${String(index).padStart(6, '0')}`

const randomUpTo = (limit: number): number => Math.floor(Math.random() * limit)

const randomValue = (): string => valueAt(randomUpTo(VALUES))

/** Requests made once and sent in turn, so that making them costs nothing while it is measured. */
function inTurn(make: () => BenchRequest): () => BenchRequest {
  const requests = Array.from({ length: DIFFERENT_REQUESTS }, make)
  let at = 0
  return () => requests[at++ % DIFFERENT_REQUESTS] as BenchRequest
}

const LIMIT = 100

const collection = (options: Record<string, string>): BenchRequest => ({
  method: 'GET',
  path: `/v1/attribute-values/C1?${new URLSearchParams({ ...options, $limit: String(LIMIT) })}`,
})

/** A hundred values share their first four digits, and there are two thousand such prefixes. */
const byKeyRange = (): BenchRequest =>
  collection({
    $filter: `startswith(attributeValue,'${valueAt(randomUpTo(VALUES)).slice(0, -2)}') and status eq 'N'`,
    $orderby: 'attributeValue',
    $select: 'attributeValue,periodFrom,periodTo,description,status,customValue',
  })

const byText = (): BenchRequest =>
  collection({ $filter: `contains(description,'${randomUpTo(10)}') and status eq 'N'` })

const objects = (document: string, options: Record<string, string>): BenchRequest => ({
  method: 'GET',
  path: `/v1/objects/${document}?${new URLSearchParams(options)}`,
})

const ofAccount = (): string =>
  `accountingInformation/account eq '${accountAt(randomUpTo(ACCOUNTS))}' and period eq ${periodAt(randomUpTo(PERIODS))}`

const ledgerByAccount = (): BenchRequest =>
  objects('general-ledger-transactions', {
    posted: 'true',
    $filter: ofAccount(),
    $orderby: 'transactionNumber',
    $select: 'transactionNumber,sequenceNumber,transactionDate,description,amounts(amount)',
    $limit: String(LIMIT),
  })

const ledgerWithCustomer = (): BenchRequest =>
  objects('general-ledger-transactions', {
    posted: 'true',
    $filter: ofAccount(),
    $select:
      'transactionNumber,sequenceNumber,accountingInformation(account[C;T]),amounts(amount),customer(customerName)',
    $limit: String(LIMIT),
  })

const FEW = 50

const customersByName = (): BenchRequest =>
  objects('customers', {
    $filter: `countryCode eq '${countryAt(randomUpTo(8))}' and startswith(customerName,'${prefixAt(randomUpTo(512)).slice(0, 2)}')`,
    $orderby: 'customerName',
    $select: 'customerId,customerName,countryCode[C;T]',
    $limit: String(FEW),
  })

let changes = 0

export const WORKLOADS: readonly Workload[] = [
  {
    name: 'single GET',
    writes: false,
    next: inTurn(() => ({ method: 'GET', path: `/v1/attribute-values/C1/${randomValue()}/0` })),
  },
  { name: 'collection, 100 of 200,000, by key range', writes: false, records: LIMIT, next: inTurn(byKeyRange) },
  { name: 'collection, 100 of 200,000, by text', writes: false, records: LIMIT, next: inTurn(byText) },
  {
    name: 'single GET of a customer',
    writes: false,
    next: inTurn(() => ({ method: 'GET', path: `/v1/customers/${100_000 + randomUpTo(CUSTOMERS)}` })),
  },
  { name: 'ledger by account and period, 100 rows', writes: false, records: LIMIT, next: inTurn(ledgerByAccount) },
  {
    name: 'ledger with description and association, 100 rows',
    writes: false,
    records: LIMIT,
    next: inTurn(ledgerWithCustomer),
  },
  { name: 'customers of a country by name, 50 rows', writes: false, records: FEW, next: inTurn(customersByName) },
  {
    name: 'POST',
    writes: true,
    next: () => ({
      method: 'POST',
      path: '/v1/attribute-values',
      body: JSON.stringify({
        attributeId: 'C3',
        attributeValue: randomUUID(),
        description: 'A new project',
        customValue: 12.5,
      }),
    }),
  },
  {
    name: 'PATCH',
    writes: true,
    // Never the same text twice, so that no subject could find that nothing has changed.
    next: () => ({
      method: 'PATCH',
      path: `/v1/attribute-values/C1/${randomValue()}/0`,
      body: JSON.stringify([{ op: 'replace', path: '/description', value: `Change ${++changes} of the benchmark` }]),
    }),
  },
]
