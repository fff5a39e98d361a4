// Writes of the floor on PostgreSQL, without checks and log. The response is the record as a single GET returns it.
import type pg from 'pg'
import type { Handler } from '../floors/handler.ts'
import { customerRow, customerValueRow, type Row, relatedRowsOf, valueRow } from '../floors/rows.ts'
import { now, type Operation, valueIn, writing } from '../floors/writes.ts'
import { singleCustomer, singleValue } from '../questions/records.ts'
import type { customerRecord } from '../records/customers.ts'
import type { ValueRecord } from '../records/values.ts'
import { nameOf, readOf } from './floor-reads.ts'

type Statement = readonly [text: string, values: readonly (string | number)[]]

const inserting = (table: string, row: Row): Statement => [
  `insert into ${table} values (${row.map((_, at) => `$${at + 1}`).join(', ')})`,
  row,
]

export function writeHandlers(pool: pg.Pool): Handler[] {
  const [readValue, readCustomer] = [readOf(pool, singleValue), readOf(pool, singleCustomer)]
  return [
    writing('POST', '/v1/attribute-values', 0, 201, async (_, body) => {
      const record = JSON.parse(body) as ValueRecord
      await writeAll(pool, [inserting('attribute_value', valueRow(record, [now(), 'bench']))])
      return (await readValue([record.attributeId, record.attributeValue, '0'])) as string
    }),
    writing('PATCH', '/v1/attribute-values', 3, 200, async (key, body) => {
      await writeAll(pool, [[UPDATE_VALUE, [valueIn(JSON.parse(body), '/description'), now(), ...key]]])
      return (await readValue(key)) as string
    }),
    writing('POST', '/v1/customers', 0, 201, async (_, body) => {
      const record = JSON.parse(body) as ReturnType<typeof customerRecord>
      await writeAll(pool, newCustomer(record))
      return (await readCustomer([record.customerId])) as string
    }),
    writing('PATCH', '/v1/customers', 1, 200, async ([id = ''], body) => {
      await writeAll(pool, changedCustomer(id, JSON.parse(body)))
      return (await readCustomer([id])) as string
    }),
  ]
}

async function writeAll(pool: pg.Pool, statements: readonly Statement[]): Promise<void> {
  const client = await pool.connect()
  const isTransaction = statements.length > 1
  try {
    if (isTransaction) await client.query('begin')
    for (const [text, values] of statements) await client.query({ name: nameOf(text), text, values: [...values] })
    if (isTransaction) await client.query('commit')
  } finally {
    client.release()
  }
}

const UPDATE_VALUE = `update attribute_value set description = $1, updated_at = $2, updated_by = 'bench'
  where attribute_id = $3 and attribute_value = $4 and period_from = $5`

function newCustomer(record: ReturnType<typeof customerRecord>): Statement[] {
  const changed = [now(), 'bench'] as const
  return [
    inserting('customer', customerRow(record, changed)),
    inserting('attribute_value', customerValueRow(record, changed)),
    ...relatedRowsOf(record, ['A4', record.customerId], changed).map((row) => inserting('related_value', row)),
  ]
}

const UPDATE_CUSTOMER = `update customer set customer_name = $1, updated_at = $3, updated_by = 'bench',
    contact_points = jsonb_set(contact_points::jsonb, '{0,phoneNumbers,telephone2}', to_jsonb($2::text))::text
  where customer_id = $4`
const UPDATE_NAME = `update attribute_value set description = $1
  where attribute_id = 'A4' and attribute_value = $2 and period_from = 0`
const UPDATE_RELATED = `update related_value set percentage = $1
  where attribute_id = 'A4' and attribute_value = $2 and relation_id = 'LEGALID'`

function changedCustomer(id: string, operations: readonly Operation[]): Statement[] {
  const name = valueIn(operations, '/customerName')
  const phone = valueIn(operations, '/contactPoints/0/phoneNumbers/telephone2')
  return [
    [UPDATE_CUSTOMER, [name, phone, now(), id]],
    [UPDATE_NAME, [name, id]],
    [UPDATE_RELATED, [valueIn(operations, '/relatedValues/0/percentage'), id]],
  ]
}
