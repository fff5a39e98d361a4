// Removes a record for good, with everything that belongs to it: the relations of a value, the value of a customer, the
// indexes, revisions and words of a document. The caller has checked that nothing refers to it.
import { findPeriods } from '../records/attribute-values/attribute-value-store.ts'
import { removeFromIndex } from '../records/documents/text-store.ts'
import { removeRow } from '../records/engine/record-store.ts'
import type { ValueName } from '../records/kinds/kind.ts'
import { RELATION_ENTITY, relationsOf } from '../records/shared/master-data/relation-store.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import { addFileBytes } from '../store/service-state/size-store.ts'
import type { Tx } from '../store/store.ts'
import { type OwnRecordName, type RecordName, valueBehind } from './record-name.ts'
import {
  listContents,
  removeCustomerRow,
  removeDocumentRows,
  removeRelationRows,
  removeValueRow,
} from './removal-store.ts'

/** A record as the journal names it. */
export interface JournalName {
  readonly entity: string
  readonly key: readonly (string | number)[]
}

export interface Removed {
  /** The records that are gone. */
  readonly records: readonly JournalName[]
  /** The contents of its revisions, each once. */
  readonly contents: readonly string[]
}

export async function removeRecord(tx: Tx, company: CompanyRules, target: RecordName): Promise<Removed> {
  switch (target.kind) {
    case 'document':
      return removeDocument(tx, target.documentId)
    case 'customer':
      removeCustomerRow(tx, target.customerId)
      return withValue(tx, { entity: 'customer', key: [target.customerId] }, valueBehind(company, target))
    case 'own':
      return removeOwnRecord(tx, company, target)
    case 'value':
      return {
        records: await removeValue(tx, target.attributeId, target.attributeValue, target.periodFrom),
        contents: [],
      }
  }
}

async function removeDocument(tx: Tx, documentId: string): Promise<Removed> {
  const contents = await listContents(tx, documentId)
  await removeFromIndex(tx, documentId)
  removeDocumentRows(tx, documentId)
  addFileBytes(tx, -contents.reduce((sum, { doc_size }) => sum + Number(doc_size), 0))
  const hashes = [...new Set(contents.map(({ file_hash }) => file_hash))]
  return { records: [{ entity: 'document', key: [documentId] }], contents: hashes }
}

async function removeOwnRecord(tx: Tx, company: CompanyRules, target: OwnRecordName): Promise<Removed> {
  const { rules, key } = target
  removeRow(tx, rules, key)
  return withValue(tx, { entity: rules.name, key: key.stored }, valueBehind(company, target))
}

/** A record goes with all periods of the value that it is. */
async function withValue(tx: Tx, record: JournalName, value: ValueName | undefined): Promise<Removed> {
  const records = [record]
  if (!value) return { records, contents: [] }
  const { attributeId, attributeValue } = value
  for (const { period_from } of await findPeriods(tx, attributeId, attributeValue)) {
    records.push(...(await removeValue(tx, attributeId, attributeValue, Number(period_from))))
  }
  return { records, contents: [] }
}

/** Removes a period of a value, and the relations of the value with its last period. */
async function removeValue(
  tx: Tx,
  attributeId: string,
  attributeValue: string,
  periodFrom: number,
): Promise<JournalName[]> {
  const periods = await findPeriods(tx, attributeId, attributeValue)
  removeValueRow(tx, attributeId, attributeValue, periodFrom)
  const value = { entity: 'attribute-value', key: [attributeId, attributeValue, periodFrom] }
  if (periods.some(({ period_from }) => Number(period_from) !== periodFrom)) return [value]
  const relations = await relationsOf(tx, attributeId, attributeValue)
  removeRelationRows(tx, attributeId, attributeValue)
  const related = relations.map(({ related_attribute_id, relation_value }) => ({
    entity: RELATION_ENTITY,
    key: [attributeId, attributeValue, related_attribute_id, relation_value],
  }))
  return [...related, value]
}
