// Writes of a floor, without checks and log. The response is the record as a single GET returns it.
import type { DatabaseSync } from 'node:sqlite'
import { singleCustomer, singleValue } from '../questions/records.ts'
import type { customerRecord } from '../records/customers.ts'
import type { ValueRecord } from '../records/values.ts'
import { answersOf, type Commit } from './database.ts'
import type { Handler } from './handler.ts'
import { customerRow, customerValueRow, type Row, relatedRowsOf, valueRow } from './rows.ts'

export interface Operation {
  readonly path: string
  readonly value: string | number
}

export const valueIn = (operations: readonly Operation[], path: string) =>
  operations.find((operation) => operation.path === path)?.value ?? ''

/** Without a time zone, as in the responses of the service. */
export const now = (): string => new Date().toISOString().slice(0, -1)

export function writeHandlers(db: DatabaseSync, commit: Commit): Handler[] {
  return [...valueWrites(db, commit), ...customerWrites(db, commit)]
}

function inserting(db: DatabaseSync, table: string, columns: number): (row: Row) => void {
  const insert = db.prepare(`insert into ${table} values (${Array(columns).fill('?').join(', ')})`)
  return (row) => void insert.run(...row)
}

const VALUE_COLUMNS = 11
const RELATED_COLUMNS = 11
const CUSTOMER_COLUMNS = 25

function valueWrites(db: DatabaseSync, commit: Commit): Handler[] {
  const read = answersOf(db, singleValue)
  const insert = inserting(db, 'attribute_value', VALUE_COLUMNS)
  const update = db.prepare(
    `update attribute_value set description = ?, updated_at = ?, updated_by = 'bench'
     where attribute_id = ? and attribute_value = ? and period_from = ?`,
  )
  const create = (body: string) => {
    const record = JSON.parse(body) as ValueRecord
    insert(valueRow(record, [now(), 'bench']))
    return read([record.attributeId, record.attributeValue, 0]) as string
  }
  const patch = (key: readonly string[], body: string) => {
    update.run(valueIn(JSON.parse(body), '/description'), now(), ...key)
    return read(key) as string
  }
  return [
    writing('POST', '/v1/attribute-values', 0, 201, (_, body) => commit(() => create(body))),
    writing('PATCH', '/v1/attribute-values', 3, 200, (key, body) => commit(() => patch(key, body))),
  ]
}

function customerWrites(db: DatabaseSync, commit: Commit): Handler[] {
  const read = answersOf(db, singleCustomer)
  const insert = inserting(db, 'customer', CUSTOMER_COLUMNS)
  const insertValue = inserting(db, 'attribute_value', VALUE_COLUMNS)
  const insertRelated = inserting(db, 'related_value', RELATED_COLUMNS)
  const update = db.prepare(
    `update customer set customer_name = ?, contact_points = json_set(contact_points, '$[0].phoneNumbers.telephone2', ?),
     updated_at = ?, updated_by = 'bench' where customer_id = ?`,
  )
  const updateValue = db.prepare(
    "update attribute_value set description = ? where attribute_id = 'A4' and attribute_value = ? and period_from = 0",
  )
  const updateRelated = db.prepare(
    "update related_value set percentage = ? where attribute_id = 'A4' and attribute_value = ? and relation_id = 'LEGALID'",
  )
  const create = (body: string): string => {
    const record = JSON.parse(body) as ReturnType<typeof customerRecord>
    const changed = [now(), 'bench'] as const
    insert(customerRow(record, changed))
    insertValue(customerValueRow(record, changed))
    for (const row of relatedRowsOf(record, ['A4', record.customerId], changed)) insertRelated(row)
    return read([record.customerId]) as string
  }
  const patch = (id: string, body: string): string => {
    const operations = JSON.parse(body) as Operation[]
    const name = valueIn(operations, '/customerName')
    update.run(name, valueIn(operations, '/contactPoints/0/phoneNumbers/telephone2'), now(), id)
    updateValue.run(name, id)
    updateRelated.run(valueIn(operations, '/relatedValues/0/percentage'), id)
    return read([id]) as string
  }
  return [
    writing('POST', '/v1/customers', 0, 201, (_, body) => commit(() => create(body))),
    writing('PATCH', '/v1/customers', 1, 200, ([id = ''], body) => commit(() => patch(id, body))),
  ]
}

export function writing(
  method: 'POST' | 'PATCH',
  path: string,
  segments: number,
  status: number,
  write: (segments: readonly string[], body: string) => Promise<string>,
): Handler {
  return {
    method,
    path,
    segments,
    answer: async (given, { bytes }) => ({ status, text: await write(given, bytes.toString()) }),
  }
}
