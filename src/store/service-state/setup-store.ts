// The SQL of the current setup: its items as they were written, and the tables that answers join.
import { sql } from 'kysely'
import type { SetupItemTable } from '../../sql/service-tables.ts'
import { placeholdersFor, statement } from '../../sql/statement.ts'
import type { AttributeTable, CompanyTable, RelationTable, ValueListTable } from '../../sql/tables.ts'
import type { ReadTx, Tx } from '../store.ts'

const allItems = statement<Record<string, never>, SetupItemTable>('list_setup_items', (db) =>
  db.selectFrom('setup_item').selectAll().orderBy('company_id').orderBy('kind').orderBy('id'),
)

export function listSetupItems(tx: Pick<ReadTx, 'all'>): Promise<SetupItemTable[]> {
  return tx.all(allItems, {})
}

const ITEM_COLUMNS = ['company_id', 'kind', 'id', 'definition'] as const

const putItem = statement<Record<keyof SetupItemTable, string>>('put_setup_item', (db, p) =>
  db
    .insertInto('setup_item')
    .values(placeholdersFor(p, ITEM_COLUMNS))
    .onConflict((conflict) =>
      conflict
        .columns(['company_id', 'kind', 'id'])
        .doUpdateSet((eb) => ({ definition: eb.ref('excluded.definition') })),
    ),
)

export async function putSetupItem(tx: Tx, item: SetupItemTable): Promise<void> {
  await tx.run(putItem, { ...item })
}

const deleteItem = statement<{ companyId: string; kind: string; id: string }>('delete_setup_item', (db, p) =>
  db
    .deleteFrom('setup_item')
    .where('company_id', '=', p('companyId'))
    .where('kind', '=', p('kind'))
    .where('id', '=', p('id')),
)

/** Deletes an item of the company of the transaction, or one that belongs to none. */
export async function deleteSetupItem(tx: Tx, kind: string, id: string): Promise<void> {
  await tx.run(deleteItem, { companyId: tx.companyId, kind, id })
}

const ATTRIBUTE_COLUMNS = [
  'company_id',
  'attribute_id',
  'name',
  'description',
  'maintenance',
  'contact_points',
  'auto_numbering',
  'owner_attribute_id',
  'updated_at',
  'updated_by',
] as const

const putAttributeRow = statement<Record<keyof AttributeTable, string | number>>('put_attribute', (db, p) =>
  db
    .insertInto('attribute')
    .values(placeholdersFor(p, ATTRIBUTE_COLUMNS))
    .onConflict((conflict) =>
      conflict
        .columns(['company_id', 'attribute_id'])
        .doUpdateSet((eb) => ({
          name: eb.ref('excluded.name'),
          description: eb.ref('excluded.description'),
          maintenance: eb.ref('excluded.maintenance'),
          contact_points: eb.ref('excluded.contact_points'),
          auto_numbering: eb.ref('excluded.auto_numbering'),
          owner_attribute_id: eb.ref('excluded.owner_attribute_id'),
          updated_at: eb.ref('excluded.updated_at'),
          updated_by: eb.ref('excluded.updated_by'),
        }))
        // An unchanged attribute keeps the time of its last change.
        .where(
          sql<boolean>`(attribute.name, attribute.description, attribute.maintenance, attribute.contact_points, attribute.auto_numbering, attribute.owner_attribute_id) <> (excluded.name, excluded.description, excluded.maintenance, excluded.contact_points, excluded.auto_numbering, excluded.owner_attribute_id)`,
        ),
    ),
)

type Stamped<Row> = Omit<Row, 'company_id' | 'updated_at' | 'updated_by'>

function stamp(tx: Tx): { company_id: string; updated_at: string; updated_by: string } {
  return { company_id: tx.companyId, updated_at: tx.at, updated_by: tx.actor.userId }
}

export async function putAttribute(tx: Tx, row: Stamped<AttributeTable>): Promise<void> {
  await tx.run(putAttributeRow, { ...row, ...stamp(tx) })
}

const COMPANY_COLUMNS = ['company_id', 'name', 'language', 'current_period', 'updated_at', 'updated_by'] as const

const putCompanyRow = statement<Record<keyof CompanyTable, string | number>>('put_company', (db, p) =>
  db
    .insertInto('company')
    .values(placeholdersFor(p, COMPANY_COLUMNS))
    .onConflict((conflict) =>
      conflict
        .columns(['company_id'])
        .doUpdateSet((eb) => ({
          name: eb.ref('excluded.name'),
          language: eb.ref('excluded.language'),
          current_period: eb.ref('excluded.current_period'),
          updated_at: eb.ref('excluded.updated_at'),
          updated_by: eb.ref('excluded.updated_by'),
        }))
        .where(
          sql<boolean>`(company.name, company.language, company.current_period) <> (excluded.name, excluded.language, excluded.current_period)`,
        ),
    ),
)

export async function putCompany(tx: Tx, row: Stamped<CompanyTable>): Promise<void> {
  await tx.run(putCompanyRow, { ...row, ...stamp(tx) })
}

const VALUE_LIST_COLUMNS = [
  'company_id',
  'name',
  'language',
  'code',
  'number',
  'title',
  'is_fallback',
  'updated_at',
  'updated_by',
] as const

const putCodeRow = statement<Record<keyof ValueListTable, string | number>>('put_value_list_code', (db, p) =>
  db
    .insertInto('value_list')
    .values(placeholdersFor(p, VALUE_LIST_COLUMNS))
    .onConflict((conflict) =>
      conflict
        .columns(['company_id', 'name', 'language', 'code'])
        .doUpdateSet((eb) => ({
          title: eb.ref('excluded.title'),
          is_fallback: eb.ref('excluded.is_fallback'),
          updated_at: eb.ref('excluded.updated_at'),
          updated_by: eb.ref('excluded.updated_by'),
        }))
        .where(sql<boolean>`(value_list.title, value_list.is_fallback) <> (excluded.title, excluded.is_fallback)`),
    ),
)

export async function putCode(tx: Tx, row: Stamped<ValueListTable>): Promise<void> {
  await tx.run(putCodeRow, { ...row, ...stamp(tx) })
}

const codesOfList = statement<{ companyId: string; name: string }, Pick<ValueListTable, 'language' | 'code'>>(
  'list_value_list_codes',
  (db, p) =>
    db
      .selectFrom('value_list')
      .select(['language', 'code'])
      .where('company_id', '=', p('companyId'))
      .where('name', '=', p('name')),
)

export function listCodes(tx: ReadTx, name: string): Promise<Pick<ValueListTable, 'language' | 'code'>[]> {
  return tx.all(codesOfList, { companyId: tx.companyId, name })
}

const deleteCodeRow = statement<{ companyId: string; name: string; language: string; code: string }>(
  'delete_value_list_code',
  (db, p) =>
    db
      .deleteFrom('value_list')
      .where('company_id', '=', p('companyId'))
      .where('name', '=', p('name'))
      .where('language', '=', p('language'))
      .where('code', '=', p('code')),
)

/** Deletes a code that its list no longer has: lists are a part of the setup, not records. */
export async function deleteCode(tx: Tx, name: string, language: string, code: string): Promise<void> {
  await tx.run(deleteCodeRow, { companyId: tx.companyId, name, language, code })
}

const RELATION_COLUMNS = [
  'company_id',
  'relation_id',
  'name',
  'group_name',
  'attribute_id',
  'related_attribute_id',
] as const

const putRelationRow = statement<Record<keyof RelationTable, string>>('put_relation', (db, p) =>
  db
    .insertInto('relation')
    .values(placeholdersFor(p, RELATION_COLUMNS))
    .onConflict((conflict) =>
      conflict.columns(['company_id', 'relation_id']).doUpdateSet((eb) => ({
        name: eb.ref('excluded.name'),
        group_name: eb.ref('excluded.group_name'),
        attribute_id: eb.ref('excluded.attribute_id'),
        related_attribute_id: eb.ref('excluded.related_attribute_id'),
      })),
    ),
)

export async function putRelation(tx: Tx, row: Omit<RelationTable, 'company_id'>): Promise<void> {
  await tx.run(putRelationRow, { company_id: tx.companyId, ...row })
}
