// One question after another that differs only in its values: each is answered and refused as if it were the first.
import { expect, it } from 'vitest'
import { ledger, objects, startObjects } from '../support/object-records.ts'
import { onEachStore } from '../support/world.ts'

type Asked = readonly [filter: string, found: readonly string[]]

const BY_CUSTOMER: readonly (readonly Asked[])[] = [
  [
    ["customerId eq '1001'", ['1001']],
    ["customerId eq '1003'", ['1003']],
    ["customerId eq ''", []],
    ["customerId eq 'customerId eq 1'", []],
  ],
  [
    ["startswith(customerName,'Nord')", ['1001']],
    ["startswith(customerName,'O''B')", ['1003']],
    ["startswith(customerName,'')", ['1001', '1002', '1003', '1004']],
    ["startswith(customerName,'\u{10ffff}')", []],
    ["startswith(customerName,'nord')", ['1004']],
  ],
  [
    ["contains(customerName,'ordlys')", ['1001', '1004']],
    ["contains(customerName,'%')", []],
    ["contains(customerName,'Brien')", ['1003']],
    ["contains(customerName,'')", ['1001', '1002', '1003', '1004']],
  ],
  [
    ["aliasName in ('none', '')", ['1002', '1003', '1004']],
    ["aliasName in ('none', 'x')", []],
    ["aliasName in ('', '')", ['1002', '1003', '1004']],
  ],
  [
    ['invoice/creditLimit ge 50000.5', ['1001']],
    ['invoice/creditLimit ge 50000.50001', []],
    ['invoice/creditLimit ge 0', ['1001', '1002', '1003', '1004']],
    ['invoice/creditLimit ge -1e300', ['1001', '1002', '1003', '1004']],
  ],
  [
    ['customFieldGroups/LOYALTY/since lt 2025-01-01', ['1002', '1003', '1004']],
    ['customFieldGroups/LOYALTY/since lt 2099-01-01T10:00:00Z', ['1001', '1002', '1003', '1004']],
    ['customFieldGroups/LOYALTY/since lt 1900-01-01', []],
  ],
]

const BY_LINE: readonly (readonly Asked[])[] = [
  [
    ["accountingInformation/account eq '3000' and period ge 202601", ['1/1']],
    ["accountingInformation/account eq '0815' and period ge 0", ['3/1']],
    ["accountingInformation/account eq '3000' and period ge 9007199254740993", []],
    ["accountingInformation/account eq '3000' and period ge 202600.5", ['1/1']],
  ],
  [
    ['amounts/amount eq 0.1', ['3/1']],
    ['amounts/amount eq -1000', ['1/1']],
    ['amounts/amount eq 0.10000001', []],
    ['amounts/amount eq 12345678901234.56', ['4/1']],
  ],
]

const WRONG = [
  ["customerId eq '1001' or lastUpdated/updatedAt ge 2026-01-31", undefined],
  [
    "customerId eq '1001' or lastUpdated/updatedAt ge 2026-02-31",
    '2026-02-31 is no date-time at position 49 of $filter',
  ],
  [
    `customerId eq '${'9'.repeat(20)}' or lastUpdated/updatedAt ge 2026-02-31`,
    '2026-02-31 is no date-time at position 65 of $filter',
  ],
] as const

onEachStore(
  'questions that differ in their values',
  (world) => {
    const ask = (url: string, method: 'GET' | 'HEAD' = 'GET') => world().send({ as: 'integration', method, url })

    it.each(BY_CUSTOMER)('are answered of customers: %s, %s, ...', async (...asked) => {
      for (const [filter, found] of [...asked, ...asked]) {
        const { json } = await ask(objects('customers', { select: 'customerId', filter }))
        expect([filter, json.map((row: { customerId: string }) => row.customerId)]).toEqual([filter, found])
        const { headers } = await ask(objects('customers', { filter }), 'HEAD')
        expect([filter, headers['x-erp-total-count']]).toEqual([filter, String(found.length)])
      }
    })

    it.each(BY_LINE)('are answered of the ledger: %s, %s, ...', async (...asked) => {
      for (const [filter, found] of [...asked, ...asked]) {
        const { json } = await ask(ledger({ select: 'transactionNumber,sequenceNumber', filter, limit: 3 }))
        const keys = json.map((row: Record<string, number>) => `${row.transactionNumber}/${row.sequenceNumber}`)
        expect([filter, keys]).toEqual([filter, found])
      }
    })

    it('are refused each with its own value and its own position', async () => {
      for (const [filter, message] of [...WRONG, ...WRONG]) {
        const { status, json } = await ask(objects('customers', { filter }))
        expect([filter, status]).toEqual([filter, message === undefined ? 200 : 400])
        if (message !== undefined) expect(json).toEqual({ code: 1020, message })
      }
    })
  },
  startObjects,
)
