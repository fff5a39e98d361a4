// The SQL of customers. Only this file uses the query builder.

import { sql } from 'kysely'
import { joinedObjects } from '../../base/text.ts'
import { Customer } from '../../model/records/customer.ts'
import type { SqlValue } from '../../store/dialects/dialect.ts'
import { fromRecord, placeholdersOf, recordJson, rowOf } from '../../store/record-statements.ts'
import { statement } from '../../store/statement.ts'
import type { ReadTx, Tx } from '../../store/store.ts'
import type { CustomerTable } from '../../store/tables.ts'
import type { Reading } from '../../store/versions/table-versions.ts'

/** The record as JSON for the single GET, and the number of its last journal entry. */
export interface FoundCustomer {
  readonly body: string
  readonly change_no: number
}

/** The custom fields are completed by the setup, and follow the others. */
const { customFieldGroups: _completed, ...SELECTED } = Customer.fields

const single = statement<{ companyId: string; customerId: string }, FoundCustomer & { custom_fields: string }>(
  'find_customer',
  (_db, p, dialect) => sql`
    select ${recordJson(SELECTED, dialect, p('companyId'))} as body, m.custom_fields, m.change_no
    ${fromRecord(Customer.document, p('companyId'))}
    where m.company_id = ${p('companyId')} and m.customer_id = ${p('customerId')}`,
)

/** The statements of the single GET. */
export const customerReadings: readonly Reading[] = [single]

/**
 * Returns the record with this id, or undefined. `fillCustom` adds custom fields that the setup has gained since the
 * last write.
 */
export async function findCustomer(
  tx: ReadTx,
  customerId: string,
  fillCustom: (stored: string) => string,
): Promise<FoundCustomer | undefined> {
  const found = await tx.first(single, { companyId: tx.companyId, customerId })
  if (!found) return undefined
  const custom = fillCustom(found.custom_fields)
  return {
    body: joinedObjects(found.body, `{"customFieldGroups":${custom}}`),
    change_no: found.change_no,
  }
}

type CustomerColumns = Record<keyof CustomerTable, SqlValue>

const insert = statement<CustomerColumns>('insert_customer', (db, p, dialect) =>
  db
    .insertInto('customer')
    .values(placeholdersOf(Customer.fields, ['company_id', 'attribute_id', 'change_no'], p, dialect)),
)

/** Inserts a customer whose id is known to be free. `tag` is the number of the entry that becomes its last change. */
export function insertCustomer(tx: Tx, attributeId: string, draft: Customer, tag: number): void {
  tx.send(insert, columnsOf(tx, attributeId, draft, tag))
}

const present = statement<{ companyId: string; customerIds: string }, { customer_id: string }>(
  'list_present_customers',
  (_db, p, dialect) => sql`
    select customer_id from customer
    where company_id = ${p('companyId')} and customer_id in (${dialect.selectTexts(p('customerIds'))})`,
)

/** Returns those of the ids that belong to customers. */
export async function findPresentCustomers(tx: ReadTx, customerIds: readonly string[]): Promise<string[]> {
  const values = { companyId: tx.companyId, customerIds: JSON.stringify(customerIds) }
  return (await tx.all(present, values)).map((row) => row.customer_id)
}

const { customerId: _key, ...CHANGED } = Customer.fields

const update = statement<CustomerColumns>('update_customer', (db, p, dialect) =>
  db
    .updateTable('customer')
    .set(placeholdersOf(CHANGED, ['change_no'], p, dialect))
    .where('company_id', '=', p('company_id'))
    .where('customer_id', '=', p('customer_id')),
)

/** Updates every column except the key. */
export async function updateCustomer(tx: Tx, attributeId: string, draft: Customer): Promise<void> {
  tx.send(update, columnsOf(tx, attributeId, draft, tx.entryNo))
}

function columnsOf(tx: Tx, attributeId: string, draft: Customer, tag: number): CustomerColumns {
  return {
    ...rowOf(Customer.fields, draft),
    company_id: tx.companyId,
    attribute_id: attributeId,
    updated_at: tx.at,
    updated_by: tx.actor.userId,
    change_no: tag,
  }
}
