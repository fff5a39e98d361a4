// The table of attribute relations. Related values of attribute values and customers are the same rows.

import { sql } from 'kysely'
import { memo } from '../../../base/memo.ts'
import { AttributeRelation } from '../../../model/records/attribute-relation.ts'
import { ATTRIBUTE_COLUMN } from '../../../setup/rules/declared-fields.ts'
import type { CompanyRules, RelationOwner } from '../../../setup/rules/rules.ts'
import { quote, type SqlValue } from '../../../sql/dialect.ts'
import { placeholdersOf } from '../../../sql/record-statements.ts'
import { setupStatement, statement, whereEqual } from '../../../sql/statement.ts'
import { type AttributeRelationTable, CHANGE_COLUMN } from '../../../sql/tables.ts'
import { writeEntry } from '../../../store/journal/journal.ts'
import type { ReadTx, Tx } from '../../../store/store.ts'
import { type Stamp, withSourceStamp } from './source-stamp.ts'

export const RELATION_ENTITY = 'attribute-relation'

/** The row of a relation, within its company. */
export type StoredRelation = Omit<AttributeRelationTable, 'company_id' | 'updated_at' | 'updated_by' | 'change_no'>

/** The key of a relation, within its company. */
export interface RelationKey {
  readonly attributeId: string
  readonly attributeValue: string
  readonly relatedAttributeId: string
  readonly relationValue: string
}

type Owner = { companyId: string; attributeId: string; attributeValue: string }

const relationsOfValue = statement<Owner, StoredRelation>('find_relations_of_value', (db, p) =>
  db
    .selectFrom('attribute_relation')
    .select([
      'attribute_id',
      'attribute_value',
      'related_attribute_id',
      'relation_value',
      'relation_id',
      'unit_value',
      'percentage',
      'date_from',
      'date_to',
      'created_no',
    ])
    .$call(whereEqual(p, 'companyId', 'attributeId', 'attributeValue'))
    .orderBy('created_no'),
)

/** The relations of a value in the order in which they were added. */
export function relationsOf(tx: ReadTx, attributeId: string, attributeValue: string): Promise<StoredRelation[]> {
  return tx.all(relationsOfValue, { companyId: tx.companyId, attributeId, attributeValue })
}

type RelationColumns = Record<keyof AttributeRelationTable, SqlValue>

/** The columns that a relation has besides those of its fields. */
const OTHERS = ['relation_id', 'unit_value', 'updated_at', 'updated_by', 'change_no'] as const

const insert = statement<RelationColumns>('insert_relation', (db, p, dialect) =>
  db
    .insertInto('attribute_relation')
    .values(placeholdersOf(AttributeRelation.fields, ['company_id', ...OTHERS, 'created_no'], p, dialect))
    .onConflict((conflict) => conflict.doNothing()),
)

/** `stamp`: when it was last changed, and by whom, where that is not the write itself. */
function columnsOf(tx: Tx, relation: StoredRelation, stamp?: Stamp): RelationColumns {
  return {
    ...relation,
    company_id: tx.companyId,
    updated_at: stamp?.updatedAt ?? tx.at,
    updated_by: stamp?.updatedBy ?? tx.actor.userId,
    change_no: tx.entryNo,
  }
}

/** A new relation without a position is the last one of its value. */
function placed(tx: Tx, relation: StoredRelation): StoredRelation {
  return relation.created_no === 0 ? { ...relation, created_no: tx.entryNo } : relation
}

/** Like `insertRelation`, for a key that is known to be free. */
export function addRelation(tx: Tx, added: StoredRelation, stamp?: Stamp): void {
  const relation = placed(tx, added)
  tx.send(insert, columnsOf(tx, relation, stamp))
  const after = withSourceStamp(journaledText(relation), stamp)
  writeEntry(tx, { ...entryOf(relation), operation: 'create', before: '', after })
}

const remove = statement<Owner & { relatedAttributeId: string; relationValue: string }>('delete_relation', (db, p) =>
  db
    .deleteFrom('attribute_relation')
    .$call(whereEqual(p, 'companyId', 'attributeId', 'attributeValue', 'relatedAttributeId', 'relationValue')),
)

const touchValue = statement<Owner & { changeNo: number }>('touch_related_value', (db, p) =>
  db
    .updateTable('attribute_value')
    .set({ change_no: p('changeNo') })
    .$call(whereEqual(p, 'companyId', 'attributeId', 'attributeValue')),
)

const touchCustomer = statement<Owner & { changeNo: number }>('touch_related_customer', (db, p) =>
  db
    .updateTable('customer')
    .set({ change_no: p('changeNo') })
    .where('company_id', '=', p('companyId'))
    .where('customer_id', '=', p('attributeValue'))
    .where('attribute_id', '=', p('attributeId')),
)

/** Inserts a relation with its journal entry; returns `taken` when its key exists. */
export async function insertRelation(tx: Tx, inserted: StoredRelation): Promise<'inserted' | 'taken'> {
  const relation = placed(tx, inserted)
  if ((await tx.run(insert, columnsOf(tx, relation))) === 0) return 'taken'
  writeEntry(tx, { ...entryOf(relation), operation: 'create', before: '', after: journaledText(relation) })
  return 'inserted'
}

/** Deletes a relation permanently, with its journal entry. */
export function deleteRelation(tx: Tx, relation: StoredRelation): void {
  tx.send(remove, {
    companyId: tx.companyId,
    attributeId: relation.attribute_id,
    attributeValue: relation.attribute_value,
    relatedAttributeId: relation.related_attribute_id,
    relationValue: relation.relation_value,
  })
  writeEntry(tx, { ...entryOf(relation), operation: 'delete', before: journaledText(relation), after: '' })
}

const {
  attributeId: _id,
  attributeValue: _value,
  relatedAttributeId: _related,
  relationValue: _other,
  ...CHANGED
} = AttributeRelation.fields

const update = statement<RelationColumns>('update_relation', (db, p, dialect) =>
  db
    .updateTable('attribute_relation')
    .set(placeholdersOf(CHANGED, OTHERS, p, dialect))
    .$call(whereEqual(p, 'company_id', 'attribute_id', 'attribute_value', 'related_attribute_id', 'relation_value')),
)

/** Updates the columns of a relation that are not part of its key, with its journal entry. */
export function updateRelation(tx: Tx, before: StoredRelation, after: StoredRelation, stamp?: Stamp): void {
  tx.send(update, columnsOf(tx, after, stamp))
  writeEntry(tx, {
    ...entryOf(after),
    operation: 'update',
    before: journaledText(before),
    after: withSourceStamp(journaledText({ ...after, created_no: before.created_no }), stamp),
  })
}

/**
 * The representations of the value and of its customer contain the relations, so their entity tags must change too.
 * Call this with the transaction at its last entry that changed a relation.
 */
export function bumpOwnerVersion(
  tx: Tx,
  company: CompanyRules,
  relation: Pick<StoredRelation, 'attribute_id' | 'attribute_value'>,
): void {
  const values = {
    companyId: tx.companyId,
    attributeId: relation.attribute_id,
    attributeValue: relation.attribute_value,
    changeNo: tx.entryNo,
  }
  tx.send(touchValue, values)
  tx.send(touchCustomer, values)
  for (const owner of company.relationOwners) {
    if (owner.attributeId === relation.attribute_id) tx.send(touchOwn(owner), values)
  }
}

const touchOwn = memo(({ table, keyColumn }: RelationOwner) =>
  setupStatement<Owner & { changeNo: number }, never>(
    `touch_related_${table}`,
    (_db, p) => sql`
        update ${sql.raw(quote(table))} set ${sql.ref(CHANGE_COLUMN)} = ${p('changeNo')}
        where company_id = ${p('companyId')} and ${sql.ref(keyColumn)} = ${p('attributeValue')}
          and ${sql.ref(ATTRIBUTE_COLUMN)} = ${p('attributeId')}`,
  ),
)

function entryOf(relation: StoredRelation) {
  const key = [relation.attribute_id, relation.attribute_value, relation.related_attribute_id, relation.relation_value]
  return { entity: RELATION_ENTITY, key }
}

function journaledText(relation: StoredRelation): string {
  return JSON.stringify({
    attributeId: relation.attribute_id,
    attributeValue: relation.attribute_value,
    relatedAttributeId: relation.related_attribute_id,
    relationValue: relation.relation_value,
    relationId: relation.relation_id,
    unitValue: relation.unit_value,
    percentage: relation.percentage,
    dateFrom: relation.date_from,
    dateTo: relation.date_to,
    createdNo: relation.created_no,
  })
}

/** A relation as the journal has it. */
export function journaledRelation(relation: StoredRelation) {
  return { ...entryOf(relation), text: journaledText(relation) }
}
