// Records that make queries expensive: many of them, with texts and lists of the maximum length.
import { contactPoint, insertManyLines, insertRows, startObjects } from '../object-records.ts'
import type { StoreKind, WorldOptions } from '../world.ts'

const VALUES = 1_500
const CUSTOMERS = 1_500
const LINES = 3_000

export async function startCostly(kind: StoreKind, options: WorldOptions = {}): ReturnType<typeof startObjects> {
  const world = await startObjects(kind, options)
  const changed = { updated_at: '2026-01-02T03:04:05.678Z', updated_by: 'tester' }
  // Letters that no store compresses would be too long for its indexes.
  const description = 'æa'.repeat(1_000)
  const points = (count: number) =>
    JSON.stringify(Array.from({ length: count }, (_, at) => contactPoint('1', `Place ${at} ${'æ'.repeat(20)}`, at)))
  const many = <One>(count: number, one: (at: number) => One) => Array.from({ length: count }, (_, at) => one(at))
  const values = many(VALUES, (at) => ({
    company_id: 'EN',
    attribute_id: 'C0',
    attribute_value: `V${at}`,
    period_from: 0,
    period_to: 209_912,
    description: `${description}${at}`,
    owner: '',
    status: 'N',
    custom_value: at,
    contact_points: points(at % 50 ? 1 : 100),
    ...changed,
  }))
  const customers = many(CUSTOMERS, (at) => ({
    company_id: 'EN',
    customer_id: at === 0 ? 'HEAVY' : `K${at}`,
    attribute_id: 'A4',
    customer_name: `${'Åse æ '.repeat(40)}${at}`,
    alias_name: '',
    country_code: 'NO',
    customer_group_id: 'DOM',
    external_reference: '',
    has_fixed_currency: 0,
    credit_limit: at,
    currency_code: 'NOK',
    status: 'N',
    expiry_date: '2099-12-31T00:00:00.000Z',
    contact_points: points(at === 0 ? 200 : at % 20 ? 2 : 150),
    custom_fields: '{}',
    ...changed,
  }))
  for (const [table, rows] of [
    ['attribute_value', values],
    ['customer', customers],
  ] as const) {
    for (let at = 0; at < rows.length; at += 100) await insertRows(world, table, rows.slice(at, at + 100))
  }
  await insertManyLines(world, LINES)
  await world.query(
    `update ledger_transaction set customer_id = 'HEAVY', description = '${description.slice(0, 200)}' || transaction_number where company_id = 'EN'`,
  )
  return world
}
