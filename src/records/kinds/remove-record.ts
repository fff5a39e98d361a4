// Removes records for good, with everything that belongs to them: the relations of a value, the value that a record is,
// the indexes, revisions and words of a document. The caller has checked that nothing refers to them.
import { addFileBytes } from '../../store/service-state/size-store.ts'
import type { Tx } from '../../store/store.ts'
import { ENTITY as VALUE } from '../attribute-values/attribute-value.ts'
import { findPeriods, VALUES } from '../attribute-values/attribute-value-store.ts'
import { ENTITY as DOCUMENT } from '../documents/document.ts'
import { removeFromIndex } from '../documents/text-store.ts'
import { keyOf } from '../engine/record.ts'
import { removeRow } from '../engine/record-store.ts'
import { RELATION_ENTITY, relationsOf } from '../shared/master-data/relation-store.ts'
import type { JournalName, Removed, ValueName } from './kind.ts'
import { listContents, removeDocumentRows, removeRelationRows } from './removal-store.ts'

export async function removeDocument(tx: Tx, documentId: string): Promise<Removed> {
  const contents = await listContents(tx, documentId)
  await removeFromIndex(tx, documentId)
  removeDocumentRows(tx, documentId)
  addFileBytes(tx, -contents.reduce((sum, { doc_size }) => sum + Number(doc_size), 0))
  const hashes = [...new Set(contents.map(({ file_hash }) => file_hash))]
  return { records: [{ entity: DOCUMENT, key: [documentId] }], contents: hashes }
}

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
  removeRelationRows(tx, value)
  const related = relations.map(({ related_attribute_id, relation_value }) => ({
    entity: RELATION_ENTITY,
    key: [attributeId, attributeValue, related_attribute_id, relation_value],
  }))
  return [...related, period]
}
