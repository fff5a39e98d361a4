// Order, pages and counts: decision 6, orderBy, limit and HEAD; attribute relations, rule 6; habits, paging.
import { expect, it } from 'vitest'
import { insertManyLines, insertRows, ledger, objects, startObjects } from '../support/object-records.ts'
import { runScenarios, type Scenario } from '../support/scenario.ts'
import { onEachStore, type World } from '../support/world.ts'

const ids = (...all: (string | number)[]) => all.map((one) => ({ customerId: String(one) }))
const customers = (options: Record<string, string | number>) => ({
  url: objects('customers', { select: 'customerId', ...options }),
})
const relations = (query: string) => ({ url: `/v1/objects/attribute-relations?${query}` })

const ordered: Scenario[] = [
  {
    name: 'sorts by the key when no order is asked for',
    ...customers({}),
    status: 200,
    json: ids(1001, 1002, 1003, 1004),
  },
  {
    name: 'sorts by Unicode code point: capitals, small letters, letters with marks (decision 6, semantics)',
    ...customers({ orderBy: 'customerName' }),
    status: 200,
    json: ids(1001, 1003, 1004, 1002),
  },
  {
    name: 'sorts descending, asc and desc in any letter case (decision 6, orderBy)',
    ...customers({ orderBy: 'customerName DESC' }),
    status: 200,
    json: ids(1002, 1004, 1003, 1001),
  },
  {
    name: 'appends the key ascending to every order (decision 6, orderBy)',
    ...customers({ orderBy: 'countryCode desc' }),
    status: 200,
    json: ids(1002, 1001, 1004, 1003),
  },
  {
    name: 'sorts by several properties, the key among them',
    ...customers({ $orderby: 'countryCode ASC ,  customerId desc' }),
    status: 200,
    json: ids(1003, 1004, 1001, 1002),
  },
  {
    name: 'sorts by nested paths of a group (habits: nested paths)',
    ...customers({ orderBy: 'invoice/creditLimit desc, payment/status desc' }),
    status: 200,
    json: ids(1001, 1002, 1004, 1003),
  },
  {
    name: 'sorts by custom fields, absent values first',
    ...customers({ orderBy: 'customFieldGroups/LOYALTY/points,customFieldGroups/LOYALTY/tier' }),
    status: 200,
    json: ids(1002, 1003, 1004, 1001),
  },
  {
    name: 'takes the first of a property that is named twice',
    ...customers({ orderBy: 'customerId desc,customerId asc' }),
    status: 200,
    json: ids(1004, 1003, 1002, 1001),
  },
  {
    name: 'sorts by a property of an association, absent ones first',
    url: ledger({ select: 'transactionNumber', orderBy: 'customer/customerName', filter: 'sequenceNumber eq 1' }),
    status: 200,
    json: [2, 3, 1, 4].map((transactionNumber) => ({ transactionNumber })),
  },
  {
    name: 'sorts numbers as numbers',
    url: ledger({ select: 'amounts/amount', orderBy: 'amounts/amount' }),
    status: 200,
    json: [-1000, 0.1, 250.75, 1000, 12345678901234.56].map((amount) => ({ amounts: { amount } })),
  },
  {
    name: 'answers a page (limit and offset)',
    ...customers({ limit: 2, offset: 1 }),
    status: 200,
    json: ids(1002, 1003),
  },
  { name: 'answers a short last page', ...customers({ $top: 3, $skip: 3 }), status: 200, json: ids(1004) },
  { name: 'answers an empty page at the total', ...customers({ limit: 2, offset: 4 }), status: 200, json: [] },
  {
    name: 'answers an empty page far behind the last row',
    ...customers({ offset: 2147483647 }),
    status: 200,
    json: [],
  },
  {
    name: 'skips without a limit',
    ...customers({ offset: 2, orderBy: 'customerName' }),
    status: 200,
    json: ids(1004, 1002),
  },
]

const REFUSED: Record<string, [query: string, code: number, message: string]> = {
  'a limit of 0 (attribute relations, rule 6)': ['$limit=0', 1020, 'Limit is invalid. Value should be greater than 0.'],
  'a negative limit (attribute relations, rule 6)': [
    'limit=-1',
    1020,
    'Limit is invalid. Value should be greater than 0.',
  ],
  'a negative offset (attribute relations, rule 6)': [
    '$offset=-1',
    1020,
    'Offset is invalid. Value should be greater than or equal to 0.',
  ],
  'a limit above 32 bits (attribute relations, rule 6)': [
    'limit=2147483648',
    1010,
    "The value '2147483648' is not valid for limit.",
  ],
  'an offset above 32 bits (attribute relations, rule 6)': [
    'skip=99999999999',
    1010,
    "The value '99999999999' is not valid for offset.",
  ],
  'a limit, an offset and a format together': [
    'limit=-5&offset=-1&$format=yaml',
    1020,
    'Limit is invalid. Value should be greater than 0. Offset is invalid. Value should be greater than or equal to 0. ' +
      "The value 'yaml' is not valid for $format; it must be json, ndjson, csv, excel or parquet.",
  ],
  'a limit and an offset of two codes': [
    'limit=ten&offset=-1',
    1010,
    "The value 'ten' is not valid for limit. Offset is invalid. Value should be greater than or equal to 0.",
  ],
  'a limit that is no number': ['top=ten', 1010, "The value 'ten' is not valid for limit."],
  'a limit with decimals': ['limit=1.5', 1010, "The value '1.5' is not valid for limit."],
  'a limit above the most (decision 6, limit)': [
    'limit=50001',
    1020,
    'Limit is invalid. Value should not be greater than 50000.',
  ],
  'a limit twice, by an alias (decision 0)': [
    'limit=1&$top=1',
    1020,
    "The query option 'limit' is given more than once.",
  ],
}

const refused: Scenario[] = Object.entries(REFUSED).map(([what, [query, code, message]]) => ({
  name: `refuses ${what}`,
  ...relations(query),
  status: 400,
  json: { code, message },
}))

const counted: Scenario[] = [
  { name: 'counts all', method: 'HEAD', ...customers({}), status: 200, answerHeaders: { 'x-erp-total-count': '4' } },
  {
    name: 'counts what a filter leaves (decision 6, HEAD)',
    method: 'HEAD',
    ...customers({ filter: "countryCode eq 'NO'" }),
    status: 200,
    answerHeaders: { 'x-erp-total-count': '2' },
  },
  { name: 'refuses to count with a limit (decision 6, HEAD)', method: 'HEAD', ...customers({ limit: 1 }), status: 400 },
  { name: 'refuses to count with an offset', method: 'HEAD', ...customers({ offset: 1 }), status: 400 },
  { name: 'refuses to count by an unknown property', method: 'HEAD', ...customers({ filter: 'x eq 1' }), status: 400 },
]

/** All rows of a query in pages of a size, with some work between them. */
async function walk(world: World, limit: number, between: (page: number) => Promise<unknown>): Promise<string[]> {
  const seen: string[] = []
  for (let page = 0; ; page++) {
    const url = ledger({ select: 'transactionNumber', orderBy: 'transactionNumber', limit, offset: seen.length })
    const { json } = await world.send({ as: 'integration', url })
    seen.push(...json.map((row: { transactionNumber: number }) => String(row.transactionNumber)))
    if (json.length < limit) return seen
    await between(page)
  }
}

onEachStore(
  'orderBy, limit and offset on the object endpoints',
  (world) => {
    runScenarios(world, ordered)
    runScenarios(world, refused)
    runScenarios(world, counted)

    it('answers the same rows in one page and in pages of every size, in an order with many equals (decision 6)', async () => {
      const ask = (limit: number, offset: number) =>
        world().send({ as: 'integration', url: objects('attribute-values', { orderBy: 'status desc', limit, offset }) })
      const whole = (await ask(1_000, 0)).json
      expect(whole.length).toBeGreaterThan(15)
      for (const limit of [1, 4, 7]) {
        const pages = []
        for (let offset = 0; offset <= whole.length; offset += limit) pages.push(...(await ask(limit, offset)).json)
        expect(pages).toEqual(whole)
      }
    })

    it('walks pages in key order without skipping or repeating a row while rows come in behind (habits, paging)', async () => {
      await insertManyLines(world(), 100)
      const before = await walk(world(), 50, async () => {})
      let added = 0
      const seen = await walk(world(), 7, async (page) => {
        if (page < 10) await insertManyLines(world(), 3, 'posted', 900_000 + 10 * added++)
      })
      expect(added).toBe(10)
      expect(seen.slice(0, before.length)).toEqual(before)
      expect(new Set(seen.slice(5)).size).toBe(seen.length - 5)
      expect(seen).toHaveLength(before.length + 30)
    })

    it('answers one snapshot while rows come in: each answer is complete and in order', async () => {
      const writing = (async () => {
        for (let at = 0; at < 20; at++) await insertManyLines(world(), 5, 'registered', 2_000_000 + 10 * at)
      })()
      for (let at = 0; at < 20; at++) {
        const url = ledger({ select: 'transactionNumber', filter: 'transactionNumber gt 2000000' })
        const { json } = await world().send({ as: 'integration', url })
        expect(json.length % 5).toBe(0)
      }
      await writing
    })

    it('answers far pages and orders that no index gives alike on every store, with associations and descriptions (decision 6)', async () => {
      const lines = 50_000
      const ownersOf = ['1001', '1002', 'nobody']
      const amountOf = (i: number) => (i * 7_919) % lines
      await insertManyLines(world(), lines, 'historical', 3_000_000)
      // SQLite stores amounts in units of the last of their four digits behind the point.
      const unit = world().kind === 'sqlite' ? 10_000 : 1
      await world().query(`update ledger_transaction
        set amount = ((transaction_number - 3000000) * 7919) % ${lines} * ${unit}, account = '3000',
          customer_id = case transaction_number % 3 when 0 then '1001' when 1 then '1002' else 'nobody' end
        where company_id = 'EN' and transaction_number > 3000000`)
      const answerOf = (i: number) => ({
        accountingInformation: { account: '3000', 'account(description)': 'Sales' },
        amounts: { amount: amountOf(i) },
        transactionNumber: 3_000_000 + i,
        customer: { customerName: { 1001: 'Nordlys AS', 1002: 'Åse & Søn' }[ownersOf[i % 3] ?? ''] ?? '' },
      })
      const all = Array.from({ length: lines }, (_, at) => answerOf(at + 1))
      const byAmount = all.toSorted((one, other) => other.amounts.amount - one.amounts.amount)
      const byName = ['', 'Nordlys AS', 'Åse & Søn'].flatMap((name) =>
        all.filter(({ customer }) => customer.customerName === name),
      )
      const ask = async (orderBy: string, offset: number) => {
        const select = 'transactionNumber,amounts(amount),accountingInformation(account[C;T]),customer(customerName)'
        const url = ledger({ select, filter: 'transactionNumber gt 3000000', orderBy, limit: 20, offset })
        return (await world().send({ as: 'integration', url })).json
      }
      expect(await ask('transactionNumber', 45_000)).toEqual(all.slice(45_000, 45_020))
      expect(await ask('amounts/amount desc', 0)).toEqual(byAmount.slice(0, 20))
      expect(await ask('amounts/amount desc', 49_990)).toEqual(byAmount.slice(49_990))
      expect(await ask('customer/customerName', 16_660)).toEqual(byName.slice(16_660, 16_680))
    })

    it('keeps the order of pages when a row is added before them: a stored offset moves by that row alone', async () => {
      const url = objects('work-orders', { select: 'workOrderId', limit: 2, offset: 1 })
      const order = (id: string) => ({ company_id: 'EN', work_order_id: id })
      await insertRows(world(), 'own_work_orders', ['B', 'D', 'F'].map(order))
      expect((await world().send({ as: 'integration', url })).text).toBe('[{"workOrderId":"D"},{"workOrderId":"F"}]')
      await insertRows(world(), 'own_work_orders', [order('A')])
      expect((await world().send({ as: 'integration', url })).text).toBe('[{"workOrderId":"B"},{"workOrderId":"D"}]')
    })
  },
  startObjects,
)
