// The SQL of the current setup: its items as they were written, and the tables that answers join.
import type { SetupItemTable } from '../../sql/service-tables.ts'
import { statement, upsertStatement, whereEqual } from '../../sql/statement.ts'
import type { AttributeTable, CompanyTable, RelationTable, ValueListTable } from '../../sql/tables.ts'
import type { ReadTx, Tx } from '../store.ts'

const allItems = statement<Record<string, never>, SetupItemTable>('list_setup_items', (db) =>
  db.selectFrom('setup_item').selectAll().orderBy('company_id').orderBy('kind').orderBy('id'),
)

export function listSetupItems(tx: Pick<ReadTx, 'all'>): Promise<SetupItemTable[]> {
  return tx.all(allItems, {})
}

const putItem = upsertStatement<SetupItemTable>('put_setup_item', 'setup_item', {
  key: ['company_id', 'kind', 'id'],
  changed: ['definition'],
})

export async function putSetupItem(tx: Tx, item: SetupItemTable): Promise<void> {
  await tx.run(putItem, { ...item })
}

const deleteItem = statement<{ companyId: string; kind: string; id: string }>('delete_setup_item', (db, p) =>
  db.deleteFrom('setup_item').$call(whereEqual(p, 'companyId', 'kind', 'id')),
)

/** Deletes an item of the company of the transaction, or one that belongs to none. */
export async function deleteSetupItem(tx: Tx, kind: string, id: string): Promise<void> {
  await tx.run(deleteItem, { companyId: tx.companyId, kind, id })
}

const ATTRIBUTE_COLUMNS = [
  'name',
  'description',
  'maintenance',
  'contact_points',
  'auto_numbering',
  'owner_attribute_id',
] as const

const STAMP = ['updated_at', 'updated_by'] as const

const putAttributeRow = upsertStatement<AttributeTable>('put_attribute', 'attribute', {
  key: ['company_id', 'attribute_id'],
  changed: [...ATTRIBUTE_COLUMNS, ...STAMP],
  // An unchanged attribute keeps the time of its last change.
  compared: ATTRIBUTE_COLUMNS,
})

type Stamped<Row> = Omit<Row, 'company_id' | 'updated_at' | 'updated_by'>

function stamp(tx: Tx): { company_id: string; updated_at: string; updated_by: string } {
  return { company_id: tx.companyId, updated_at: tx.at, updated_by: tx.actor.userId }
}

export async function putAttribute(tx: Tx, row: Stamped<AttributeTable>): Promise<void> {
  await tx.run(putAttributeRow, { ...row, ...stamp(tx) })
}

const putCompanyRow = upsertStatement<CompanyTable>('put_company', 'company', {
  key: ['company_id'],
  changed: ['name', 'language', 'current_period', ...STAMP],
  compared: ['name', 'language', 'current_period'],
})

export async function putCompany(tx: Tx, row: Stamped<CompanyTable>): Promise<void> {
  await tx.run(putCompanyRow, { ...row, ...stamp(tx) })
}

const putCodeRow = upsertStatement<ValueListTable>('put_value_list_code', 'value_list', {
  key: ['company_id', 'name', 'language', 'code'],
  kept: ['number'],
  changed: ['title', 'is_fallback', ...STAMP],
  compared: ['title', 'is_fallback'],
})

export async function putCode(tx: Tx, row: Stamped<ValueListTable>): Promise<void> {
  await tx.run(putCodeRow, { ...row, ...stamp(tx) })
}

const codesOfList = statement<{ companyId: string; name: string }, Pick<ValueListTable, 'language' | 'code'>>(
  'list_value_list_codes',
  (db, p) =>
    db
      .selectFrom('value_list')
      .select(['language', 'code'])
      .$call(whereEqual(p, 'companyId', 'name')),
)

export function listCodes(tx: ReadTx, name: string): Promise<Pick<ValueListTable, 'language' | 'code'>[]> {
  return tx.all(codesOfList, { companyId: tx.companyId, name })
}

const deleteCodeRow = statement<{ companyId: string; name: string; language: string; code: string }>(
  'delete_value_list_code',
  (db, p) => db.deleteFrom('value_list').$call(whereEqual(p, 'companyId', 'name', 'language', 'code')),
)

/** Deletes a code that its list no longer has: lists are a part of the setup, not records. */
export async function deleteCode(tx: Tx, name: string, language: string, code: string): Promise<void> {
  await tx.run(deleteCodeRow, { companyId: tx.companyId, name, language, code })
}

const putRelationRow = upsertStatement<RelationTable>('put_relation', 'relation', {
  key: ['company_id', 'relation_id'],
  changed: ['name', 'group_name', 'attribute_id', 'related_attribute_id'],
})

export async function putRelation(tx: Tx, row: Omit<RelationTable, 'company_id'>): Promise<void> {
  await tx.run(putRelationRow, { company_id: tx.companyId, ...row })
}
