// The SQL of attribute values. Only this file uses the query builder.

import { sql } from 'kysely'
import { AttributeValue } from '../../model/records/attribute-value.ts'
import type { SqlValue } from '../../sql/dialect.ts'
import { fromRecord, placeholdersOf, recordJson, rowOf } from '../../sql/record-statements.ts'
import { statement } from '../../sql/statement.ts'
import type { AttributeValueTable } from '../../sql/tables.ts'
import type { ReadTx, Tx } from '../../store/store.ts'
import type { Reading } from '../../store/table-versions.ts'

/** The key of a value, within its company. */
export interface ValueKey {
  readonly attributeId: string
  readonly attributeValue: string
  readonly periodFrom: number
}

type KeyParameters = { companyId: string; attributeId: string; attributeValue: string; periodFrom: number }

/** The record as JSON for the single GET, built by the database, and the number of its last journal entry. */
export interface FoundValue {
  readonly body: string
  readonly change_no: number
}

const single = statement<KeyParameters, FoundValue>(
  'find_attribute_value',
  (_db, p, dialect) => sql`
    select ${recordJson(AttributeValue.fields, dialect, p('companyId'))} as body, m.change_no
    ${fromRecord(AttributeValue.document, p('companyId'))}
    where m.company_id = ${p('companyId')} and m.attribute_id = ${p('attributeId')}
      and m.attribute_value = ${p('attributeValue')} and m.period_from = ${p('periodFrom')}`,
)

/** The statements of the single GET. */
export const valueReadings: readonly Reading[] = [single]

/** Returns the record with this key, or undefined. */
export function findValue(tx: ReadTx, key: ValueKey): Promise<FoundValue | undefined> {
  return tx.first(single, parametersOf(tx, key))
}

export type Period = Pick<AttributeValueTable, 'period_from' | 'period_to'>

const periods = statement<Omit<KeyParameters, 'periodFrom'>, Period>('find_value_periods', (db, p) =>
  db
    .selectFrom('attribute_value')
    .select(['period_from', 'period_to'])
    .where('company_id', '=', p('companyId'))
    .where('attribute_id', '=', p('attributeId'))
    .where('attribute_value', '=', p('attributeValue'))
    .orderBy('period_from'),
)

/** The stored periods of a value in ascending order. */
export function findPeriods(tx: ReadTx, attributeId: string, attributeValue: string): Promise<Period[]> {
  return tx.all(periods, { companyId: tx.companyId, attributeId, attributeValue })
}

/** The starts of the stored periods that overlap the given one, which may itself be stored. */
export function overlapsWith(stored: readonly Period[], periodFrom: number, periodTo: number): number[] {
  return stored
    .filter((one) => one.period_from <= periodTo && one.period_to >= periodFrom)
    .map((one) => one.period_from)
}

type ValueColumns = Record<keyof AttributeValueTable, SqlValue>

const STAMP = ['updated_at', 'updated_by', 'change_no'] as const

const insert = statement<ValueColumns>('insert_attribute_value', (db, p, dialect) =>
  db
    .insertInto('attribute_value')
    .values(placeholdersOf(AttributeValue.fields, ['company_id', ...STAMP], p, dialect))
    .onConflict((conflict) => conflict.doNothing()),
)

/** Inserts the row; returns `taken` when its key exists, which also decides concurrent inserts. */
export async function insertValue(tx: Tx, value: AttributeValue): Promise<'inserted' | 'taken'> {
  return (await tx.run(insert, columnsOf(tx, value))) === 0 ? 'taken' : 'inserted'
}

/** Inserts a row whose key is known to be free. `tag` is the number of the entry that becomes its last change. */
export function addValue(tx: Tx, value: AttributeValue, tag: number): void {
  tx.send(insert, { ...columnsOf(tx, value), change_no: tag })
}

const { attributeId: _id, attributeValue: _value, periodFrom: _from, ...CHANGED } = AttributeValue.fields

const update = statement<ValueColumns>('update_attribute_value', (db, p, dialect) =>
  db
    .updateTable('attribute_value')
    .set(placeholdersOf(CHANGED, STAMP, p, dialect))
    .where('company_id', '=', p('company_id'))
    .where('attribute_id', '=', p('attribute_id'))
    .where('attribute_value', '=', p('attribute_value'))
    .where('period_from', '=', p('period_from')),
)

/** Updates every column of the row except its key. */
export async function updateValue(tx: Tx, value: AttributeValue): Promise<void> {
  tx.send(update, columnsOf(tx, value))
}

const descriptions = statement<
  { companyId: string; attributeId: string; attributeValues: string; characters: number },
  Pick<AttributeValueTable, 'attribute_value' | 'period_from' | 'description'>
>(
  'list_value_descriptions',
  (_db, p, dialect) => sql`
    select attribute_value, period_from, substr(description, 1, ${p('characters')}) as description from attribute_value
    where company_id = ${p('companyId')} and attribute_id = ${p('attributeId')}
      and attribute_value in (${dialect.selectTexts(p('attributeValues'))})`,
)

/**
 * The periods of these values of an attribute, each with as much of its description as tells it from the one that a
 * setup wants: older ones may be of any length.
 */
export async function listDescriptions(
  tx: ReadTx,
  attributeId: string,
  wanted: Readonly<Record<string, string>>,
): Promise<Map<string, { periodFrom: number; description: string }[]>> {
  const byValue = new Map<string, { periodFrom: number; description: string }[]>()
  const longest = Object.values(wanted).reduce((most, { length }) => Math.max(most, length), 0)
  const attributeValues = JSON.stringify(Object.keys(wanted))
  const values = { companyId: tx.companyId, attributeId, attributeValues, characters: longest + 1 }
  for (const row of await tx.all(descriptions, values)) {
    const period = { periodFrom: row.period_from, description: row.description }
    byValue.set(row.attribute_value, [...(byValue.get(row.attribute_value) ?? []), period])
  }
  return byValue
}

const describe = statement<KeyParameters & Stamp & { description: string }>('describe_attribute_value', (db, p) =>
  db
    .updateTable('attribute_value')
    .set({ description: p('description'), updated_at: p('at'), updated_by: p('by'), change_no: p('changeNo') })
    .where('company_id', '=', p('companyId'))
    .where('attribute_id', '=', p('attributeId'))
    .where('attribute_value', '=', p('attributeValue'))
    .where('period_from', '=', p('periodFrom')),
)

export async function describeValue(tx: Tx, key: ValueKey, description: string): Promise<void> {
  tx.send(describe, { ...parametersOf(tx, key), ...stampOf(tx), description })
}

/** The time, author and journal entry of a change. */
type Stamp = { at: string; by: string; changeNo: number }

function stampOf(tx: Tx): Stamp {
  return { at: tx.at, by: tx.actor.userId, changeNo: tx.entryNo }
}

const close = statement<KeyParameters & Stamp>('close_attribute_value', (db, p) =>
  db
    .updateTable('attribute_value')
    .set({ status: sql.lit('C'), updated_at: p('at'), updated_by: p('by'), change_no: p('changeNo') })
    .where('company_id', '=', p('companyId'))
    .where('attribute_id', '=', p('attributeId'))
    .where('attribute_value', '=', p('attributeValue'))
    .where('period_from', '=', p('periodFrom')),
)

export async function closeValue(tx: Tx, key: ValueKey): Promise<void> {
  tx.send(close, { ...parametersOf(tx, key), ...stampOf(tx) })
}

function columnsOf(tx: Tx, value: AttributeValue): ValueColumns {
  const stamp = { updated_at: tx.at, updated_by: tx.actor.userId, change_no: tx.entryNo }
  return { ...rowOf(AttributeValue.fields, value), company_id: tx.companyId, ...stamp }
}

function parametersOf(tx: ReadTx, key: ValueKey): KeyParameters {
  return { companyId: tx.companyId, ...key }
}
