// The SQL of the setup in force: its items as they were written, and the tables that answers join.
import { sql } from 'kysely'
import { placeholdersFor, statement } from './statement.ts'
import type { ReadTx, Tx } from './store.ts'
import type { AttributeTable, RelationTable, SetupItemTable } from './tables.ts'

const allItems = statement<Record<string, never>, SetupItemTable>('list_setup_items', (db) =>
  db.selectFrom('setup_item').selectAll().orderBy('company_id').orderBy('kind').orderBy('id'),
)

export function listSetupItems(tx: ReadTx): Promise<SetupItemTable[]> {
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

const ATTRIBUTE_COLUMNS = [
  'company_id',
  'attribute_id',
  'name',
  'description',
  'maintenance',
  'contact_points',
  'auto_numbering',
  'owner_attribute_id',
] as const

const putAttributeRow = statement<Record<keyof AttributeTable, string | number>>('put_attribute', (db, p) =>
  db
    .insertInto('attribute')
    .values(placeholdersFor(p, ATTRIBUTE_COLUMNS))
    .onConflict((conflict) =>
      conflict.columns(['company_id', 'attribute_id']).doUpdateSet((eb) => ({
        name: eb.ref('excluded.name'),
        description: eb.ref('excluded.description'),
        maintenance: eb.ref('excluded.maintenance'),
        contact_points: eb.ref('excluded.contact_points'),
        auto_numbering: eb.ref('excluded.auto_numbering'),
        owner_attribute_id: eb.ref('excluded.owner_attribute_id'),
      })),
    ),
)

export async function putAttribute(tx: Tx, row: Omit<AttributeTable, 'company_id'>): Promise<void> {
  await tx.run(putAttributeRow, { company_id: tx.companyId, ...row })
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

const setupVersion = statement<Record<string, never>, { version: number }>('find_setup_version', (db) =>
  db
    .selectFrom('journal_counter')
    .select(sql<number>`coalesce(max(last_entry), 0)`.as('version'))
    .where('company_id', '=', sql.lit('')),
)

/** Grows with every setup that is applied. */
export async function findSetupVersion(tx: ReadTx): Promise<number> {
  return (await tx.first(setupVersion, {}))?.version ?? 0
}
