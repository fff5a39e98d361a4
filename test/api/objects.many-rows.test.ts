// Queries of documents with more rows than the service may scan itself: where they run does not change any answer.
import { expect, it } from 'vitest'
import { insertManyLines, ledger, objects, startObjects } from '../support/object-records.ts'
import { onEachStore, type World } from '../support/world.ts'

const LINES = 30_000
const CUSTOMERS = 6_000

/** The customers have names in the reverse order of their numbers, and only a few, so that many have the same. */
async function insertManyCustomers(world: World): Promise<void> {
  await world.query(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${CUSTOMERS})
    insert into customer (company_id, customer_id, customer_name, country_code, customer_group_id, alias_name)
    select 'EN', 'M' || (100000 + i), 'Name ' || (90 - i % 40), case when i % 3 = 0 then 'NO' else 'SE' end, 'MANY',
      case when i % 5 = 0 then 'A' || (i % 7) else '' end from n`)
}

const QUESTIONS: readonly { document: string; filter: string; orderBy?: string; limit?: number; offset?: number }[] = [
  // Found soon, found late, not found; from either end; with a part of the order only in the index.
  { document: 'customers', filter: "contains(customerName,'5')" },
  { document: 'customers', filter: "contains(customerName,'5')", orderBy: 'customerId desc' },
  { document: 'customers', filter: "contains(customerName,'5')", orderBy: 'customerName desc' },
  { document: 'customers', filter: "contains(customerId,'M1059')", limit: 30 },
  { document: 'customers', filter: "contains(aliasName,'A3')", limit: 100 },
  { document: 'customers', filter: "contains(customerName,'51')", orderBy: 'customerId desc', limit: 100 },
  { document: 'customers', filter: "contains(customerName,'51')", offset: 140 },
  { document: 'customers', filter: "contains(aliasName,'nowhere')" },
  { document: 'customers', filter: "countryCode eq 'NO' and contains(customerName,'7')", orderBy: 'customerName' },
  { document: 'customers', filter: "countryCode eq 'SE' and contains(customerName,'7')", orderBy: 'customerName desc' },
  { document: 'customers', filter: "customerGroupId eq 'MANY' and countryCode eq 'NO'", offset: 100 },
  { document: 'customers', filter: "customerGroupId eq 'MANY'", orderBy: 'customerName', offset: 3_000 },
  { document: 'customers', filter: "customerGroupId in ('MANY','NONE') and countryCode eq 'SE'", offset: 1_990 },
  { document: 'customers', filter: "aliasName eq ''", limit: 20 },
  { document: 'customers', filter: "aliasName in ('','A3')", orderBy: 'aliasName,customerId' },
  { document: 'customers', filter: "aliasName gt ''", orderBy: 'aliasName' },
  { document: 'customers', filter: "startswith(aliasName,'')", orderBy: 'aliasName' },
  { document: 'ledger', filter: 'period ge 0 and sequenceNumber eq 1', offset: 29_990 },
  { document: 'ledger', filter: "contains(description,'99')", orderBy: 'transactionNumber desc' },
  { document: 'ledger', filter: "endswith(description,'77')", orderBy: 'period desc,transactionNumber' },
  { document: 'ledger', filter: "accountingInformation/account eq '' and period eq 0", limit: 1_500 },
  { document: 'ledger', filter: "accountingInformation/account eq '' and period lt 1", orderBy: 'transactionNumber' },
  { document: 'ledger', filter: "customerId eq '' and contains(description,'4')", limit: 60 },
]

onEachStore(
  'Many rows',
  (world) => {
    /** A query that waits too long on a busy machine is refused, and asked again. */
    const inItsTurn = async (sent: Parameters<World['send']>[0]): ReturnType<World['send']> => {
      const answer = await world().send(sent)
      return answer.status === 503 && answer.headers['retry-after'] ? inItsTurn(sent) : answer
    }

    it('answers 32 concurrent queries that scan every row, each in its turn (overload)', async () => {
      const asked = Array.from({ length: 32 }, (_, at) => `${at + 10}77`)
      const answers = await Promise.all(
        asked.map((part) => inItsTurn({ as: 'exporter', url: ledger({ filter: `contains(description,'${part}')` }) })),
      )
      expect(answers.map(({ status }) => status)).toEqual(asked.map(() => 200))
      for (const [at, { json }] of answers.entries()) {
        expect(json.length).toBeGreaterThan(0)
        for (const { description } of json) expect(description).toContain(asked[at])
      }
    })

    it.each(QUESTIONS)(
      'answers $document $filter $orderBy $offset as a whole and row by row alike',
      async (question) => {
        const { document, filter, orderBy = '', limit = 40, offset = 0 } = question
        const key = document === 'ledger' ? 'transactionNumber' : 'customerId'
        const options = { filter, limit, offset, select: key, ...(orderBy ? { orderBy } : {}) }
        const url = document === 'ledger' ? ledger(options) : objects(document, options)
        const ask = (accept: string) => world().send({ as: 'exporter', url, headers: { accept } })
        // The second time the scan estimate is known.
        const [first, again, rows] = [await ask('application/json'), await ask('*/*'), await ask('text/csv')]
        expect([first.status, again.status, rows.status]).toEqual([200, 200, 200])
        const expected = rows.text
          .trim()
          .split('\r\n')
          .slice(1)
          .map((text) => (document === 'ledger' ? Number(text) : text))
        for (const { json } of [first, again]) {
          expect(json.map((row: Record<string, unknown>) => row[key])).toEqual(expected)
        }
        const all = await world().send({
          as: 'exporter',
          url: document === 'ledger' ? ledger({ filter }) : objects(document, { filter }),
          method: 'HEAD',
        })
        expect(Number(all.headers['x-erp-total-count'])).toBeGreaterThanOrEqual(offset + expected.length)
      },
    )
  },
  async (kind) => {
    const world = await startObjects(kind)
    await insertManyLines(world, LINES)
    await insertManyCustomers(world)
    return world
  },
)
