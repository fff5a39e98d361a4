// Removes records for good, with everything that belongs to them: the relations of a value, the value that a record is,
// the indexes, revisions and words of a document. The caller has checked that nothing refers to them.

import { sql } from 'kysely'
import { statement, whereEqual } from '../../sql/statement.ts'
import { addFileBytes } from '../../store/service-state/size-store.ts'
import type { Tx } from '../../store/store.ts'
import { ENTITY as VALUE } from '../attribute-values/attribute-value.ts'
import { VALUES } from '../attribute-values/attribute-value-record.ts'
import { findPeriods } from '../attribute-values/attribute-value-store.ts'
import { ENTITY as DOCUMENT } from '../documents/document.ts'
import { removeFromIndex } from '../documents/text-store.ts'
import { keyOf } from '../engine/record.ts'
import { removeRow } from '../engine/record-store.ts'
import { RELATION_ENTITY, relationsOf } from '../shared/master-data/relation-store.ts'
import type { ValueName } from '../shared/master-data/value-store.ts'
import type { JournalName, Removed } from './kind.ts'

type DocumentKey = { companyId: string; documentId: string }

/** The contents of a document, once for each revision that has it. */
const contentsOf = statement<DocumentKey, { file_hash: string; doc_size: number }>('list_document_contents', (db, p) =>
  db
    .selectFrom('document_revision')
    .select(['file_hash', 'doc_size'])
    .$call(whereEqual(p, 'companyId', 'documentId'))
    // A mirror may not have fetched it.
    .where('file_hash', '<>', sql.lit('')),
)

const DOCUMENT_TABLES = ['document_index', 'document_revision', 'document_text', 'document'] as const

const removeRows = DOCUMENT_TABLES.map((table) =>
  statement<DocumentKey>(`remove_rows_of_${table}`, (db, p) =>
    db.deleteFrom(table).$call(whereEqual(p, 'companyId', 'documentId')),
  ),
)

export async function removeDocument(tx: Tx, documentId: string): Promise<Removed> {
  const key = { companyId: tx.companyId, documentId }
  const contents = await tx.all(contentsOf, key)
  await removeFromIndex(tx, documentId)
  for (const remove of removeRows) tx.send(remove, key)
  addFileBytes(tx, -contents.reduce((sum, { doc_size }) => sum + Number(doc_size), 0))
  const hashes = [...new Set(contents.map(({ file_hash }) => file_hash))]
  return { records: [{ entity: DOCUMENT, key: [documentId] }], contents: hashes }
}

type Value = { companyId: string; attributeId: string; attributeValue: string }

const removeRelations = statement<Value>('remove_relations_of_value', (db, p) =>
  db.deleteFrom('attribute_relation').$call(whereEqual(p, 'companyId', 'attributeId', 'attributeValue')),
)

/** Removes all periods of a value. */
export async function removePeriods(tx: Tx, value: ValueName): Promise<JournalName[]> {
  const records: JournalName[] = []
  for (const { period_from } of await findPeriods(tx, value.attributeId, value.attributeValue)) {
    records.push(...(await removePeriod(tx, value, Number(period_from))))
  }
  return records
}

/** Removes a period of a value, and the relations of the value with its last period. */
export async function removePeriod(tx: Tx, value: ValueName, periodFrom: number): Promise<JournalName[]> {
  const { attributeId, attributeValue } = value
  const periods = await findPeriods(tx, attributeId, attributeValue)
  removeRow(tx, VALUES, keyOf(VALUES, { ...value, periodFrom }))
  const period = { entity: VALUE, key: [attributeId, attributeValue, periodFrom] }
  if (periods.some(({ period_from }) => Number(period_from) !== periodFrom)) return [period]
  const relations = await relationsOf(tx, attributeId, attributeValue)
  tx.send(removeRelations, { companyId: tx.companyId, ...value })
  const related = relations.map(({ related_attribute_id, relation_value }) => ({
    entity: RELATION_ENTITY,
    key: [attributeId, attributeValue, related_attribute_id, relation_value],
  }))
  return [...related, period]
}

const emptyValue = statement<Value & { description: string; at: string; by: string; changeNo: number }>(
  'empty_attribute_value',
  (db, p) =>
    db
      .updateTable('attribute_value')
      .set({
        description: p('description'),
        owner: sql.lit(''),
        custom_value: sql.lit(0),
        contact_points: sql.lit('[]'),
        status: sql.lit('C'),
        updated_at: p('at'),
        updated_by: p('by'),
        change_no: p('changeNo'),
      })
      .$call(whereEqual(p, 'companyId', 'attributeId', 'attributeValue')),
)

/** In the place of texts that a record must have. */
export const ERASED_TEXT = '(erased)'

/** Empties and closes all periods of a value, and removes its relations. */
export function emptyPeriods(tx: Tx, value: ValueName): void {
  const stamp = { at: tx.at, by: tx.actor.userId, changeNo: tx.entryNo }
  tx.send(emptyValue, { companyId: tx.companyId, ...value, description: ERASED_TEXT, ...stamp })
  tx.send(removeRelations, { companyId: tx.companyId, ...value })
}
