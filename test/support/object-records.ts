// Records for the tests of the object endpoints: rows inserted by SQL, the same on every store.
import { decimalText, unitsOf } from '../../src/base/numbers/decimal.ts'
import { AMOUNT_SCALE } from '../../src/model/schema.ts'
import { type StoreKind, startWorld, type World, type WorldOptions } from './world.ts'

export type Row = Readonly<Record<string, string | number | null>>

const CHANGED_AT = '2026-01-02T03:04:05.678Z'
export const lastUpdated = { updatedAt: CHANGED_AT, updatedBy: 'tester' }
const changed = { updated_at: CHANGED_AT, updated_by: 'tester' }

/** Inserts rows into a table, bypassing the service; the first row determines the columns. */
export async function insertRows(world: World, table: string, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  const lines = rows.map((row) => {
    const values = columns.map((column) => literal(storedAs(world, table, column, row[column] ?? null)))
    return `(${values.join(', ')})`
  })
  await world.query(`insert into ${table} (${columns.join(', ')}) values ${lines.join(', ')}`)
}

const AMOUNTS = ['ledger_transaction.amount', 'ledger_transaction.currency_amount', 'customer.credit_limit']

/** SQLite stores decimals in units of their last digit. */
function storedAs(world: World, table: string, column: string, value: string | number | null): string | number | null {
  if (!AMOUNTS.includes(`${table}.${column}`) || value === null) return value
  const units = BigInt(unitsOf(value, AMOUNT_SCALE) ?? Number.NaN)
  return world.kind === 'sqlite' ? `${units}` : decimalText(units, AMOUNT_SCALE)
}

function literal(value: string | number | null): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
}

/** The path of a collection with form-encoded options. */
export function objects(document: string, options: Readonly<Record<string, string | number>> = {}): string {
  const query = new URLSearchParams(
    Object.entries(options).map(([name, value]): [string, string] => [name, String(value)]),
  )
  return `/v1/objects/${document}?${query}`
}

export const ledger = (options: Readonly<Record<string, string | number>> = {}) =>
  objects('general-ledger-transactions', { registered: 'true', posted: 'true', historical: 'true', ...options })

const noPhones = Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((no) => [`telephone${no}`, '']))

/** As the service stores it: every member, in this order. */
export const contactPoint = (contactPointType: string, place: string, sortOrder: number, telephone1 = '') => ({
  additionalContactInfo: { contactPerson: '', contactPosition: '', eMail: '', eMailCc: '', gtin: '', url: '' },
  address: { countryCode: 'NO', place, postcode: '', province: '', streetAddress: `Road 1, "${place}"` },
  contactPointType,
  phoneNumbers: { ...noPhones, telephone1 },
  sortOrder,
})

const line = (transaction: number, sequence: number, rest: Row): Row => ({
  company_id: 'EN',
  transaction_number: transaction,
  sequence_number: sequence,
  state: 'posted',
  status: 'N',
  transaction_type: 'IN',
  transaction_date: '2026-01-15T00:00:00.000Z',
  period: 202601,
  description: '',
  external_reference: '',
  customer_id: '',
  supplier_id: '',
  account: '',
  attribute_id_1: '',
  attribute_value_1: '',
  amount: 0,
  currency_amount: 0,
  currency_code: 'NOK',
  debit_credit: 1,
  ...rest,
  ...changed,
})

const LEDGER = [
  line(1, 1, {
    description: 'Sale to Nordlys',
    external_reference: 'INV-1',
    customer_id: '1001',
    account: '3000',
    attribute_id_1: 'C1',
    attribute_value_1: 'CC100',
    amount: -1000,
    currency_amount: -1000,
    debit_credit: -1,
  }),
  line(1, 2, { description: 'Receivable', customer_id: '1001', account: '1500', amount: 1000, currency_amount: 1000 }),
  line(2, 1, {
    transaction_type: 'PA',
    transaction_date: '2026-02-01T12:30:00.500Z',
    period: 202602,
    description: 'Payment; "urgent", 50%',
    customer_id: '9999',
    supplier_id: '20610',
    account: '1900',
    attribute_id_1: 'C2',
    attribute_value_1: '100',
    amount: 250.75,
    currency_amount: 21.5,
    currency_code: 'EUR',
  }),
  line(3, 1, { state: 'registered', status: 'P', description: '=HYPERLINK("x")', account: '0815', amount: 0.1 }),
  line(4, 1, {
    state: 'historical',
    status: 'C',
    transaction_date: '2019-12-31T23:59:59.999Z',
    period: 201912,
    description: 'Old\nline',
    customer_id: '1002',
    account: '1500',
    amount: '12345678901234.56',
    currency_code: 'XXX',
  }),
  line(1, 1, { company_id: 'SV', description: 'canary-of-SV', customer_id: '1001' }),
]

const customer = (id: string, name: string, rest: Row): Row => ({
  company_id: 'EN',
  customer_id: id,
  attribute_id: 'A4',
  customer_name: name,
  alias_name: '',
  country_code: 'NO',
  customer_group_id: 'DOM',
  external_reference: '',
  has_fixed_currency: 0,
  credit_limit: 0,
  currency_code: 'NOK',
  status: 'N',
  expiry_date: '2099-12-31T00:00:00.000Z',
  contact_points: '[]',
  custom_fields: '{}',
  ...rest,
  ...changed,
})

const CUSTOMERS = [
  customer('1001', 'Nordlys AS', {
    alias_name: 'NORD',
    external_reference: '42',
    has_fixed_currency: 1,
    credit_limit: 50_000.5,
    contact_points: JSON.stringify([contactPoint('1', 'Oslo', 1, '+47 1'), contactPoint('2', 'Bergen', 2)]),
    custom_fields: JSON.stringify({
      LOYALTY: { tier: 'G', points: 120, rate: 2.5, isGold: true, since: '2025-05-17T00:00:00.000Z' },
    }),
  }),
  customer('1002', 'Åse & Søn', {
    country_code: 'SE',
    customer_group_id: 'EXP',
    status: 'P',
    contact_points: JSON.stringify([contactPoint('1', 'Malmö', 1)]),
  }),
  customer('1003', "O'Brien Ltd", { country_code: 'GB', customer_group_id: 'XX', status: 'C' }),
  customer('1004', 'nordlys filial', { currency_code: '' }),
  customer('1001', 'canary-of-SV', { company_id: 'SV' }),
]

const relation = (attribute: string, value: string, related: string, to: string, no: number, rest: Row): Row => ({
  company_id: 'EN',
  attribute_id: attribute,
  attribute_value: value,
  related_attribute_id: related,
  relation_value: to,
  relation_id: 'REL1',
  unit_value: 0,
  percentage: 0,
  date_from: '1900-01-01T00:00:00.000Z',
  date_to: '2099-12-31T00:00:00.000Z',
  ...rest,
  ...changed,
  created_no: no,
  change_no: no,
})

const RELATIONS = [
  relation('C1', 'CC100', 'C2', '200', 901, { percentage: 40.5, date_from: '2026-01-01T00:00:00.000Z' }),
  relation('C1', 'CC100', 'C2', '100', 902, { percentage: 59.5, unit_value: 3 }),
  relation('C1', 'CC200', 'C2', '200', 903, { percentage: 100 }),
  relation('A4', '1001', 'LI', 'NO1', 904, { relation_id: 'LEGALID' }),
]

/** A world with the companies of `objects.yaml` and some records of every kind. */
export async function startObjects(
  kind: StoreKind,
  options: WorldOptions = {},
  basePath = '',
): ReturnType<typeof startWorld> {
  const world = await startWorld(kind, 'test/fixtures/objects.yaml', basePath, options)
  await insertRows(world, 'ledger_transaction', LEDGER)
  await insertRows(world, 'customer', CUSTOMERS)
  await insertRows(world, 'attribute_relation', RELATIONS)
  const points = JSON.stringify([contactPoint('1', 'Oslo', 1)]).replaceAll("'", "''")
  await world.query(
    `update attribute_value set owner = '100', custom_value = 12.5, contact_points = '${points}'
      where company_id = 'EN' and attribute_id = 'C1' and attribute_value = 'CC100'`,
  )
  for (const table of ['attribute', 'attribute_value', 'company', 'value_list']) {
    await world.query(`update ${table} set updated_at = '${CHANGED_AT}', updated_by = 'tester'`)
  }
  return world
}

/** Inserts ledger lines of one state in one company, numbered from 1, in one statement. */
export async function insertManyLines(world: World, count: number, state = 'posted', from = 100_000): Promise<void> {
  await world.query(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
    insert into ledger_transaction (company_id, transaction_number, sequence_number, state, description)
    select 'EN', ${from} + i, 1, '${state}', 'line ' || i from n`)
}
