// The parts of a record outside its own row, where it is a value of an attribute: that value, and its relations.
import type { RelatedValue } from '../../../model/records/related-value.ts'
import type { AttributeRules, CompanyRules } from '../../../setup/rules/rules.ts'
import type { Tx } from '../../../store/store.ts'
import { changeRecordValue, putRecordValue, type RecordValue } from './record-value-store.ts'
import { addRelatedValues, areRelationsChanged, saveRelatedValues } from './related-value.ts'
import { relationsOf } from './relation-store.ts'

export interface ValueAndRelations {
  readonly value: RecordValue
  /** Absent where the records have no relations. */
  readonly relatedValues?: readonly RelatedValue[]
}

/**
 * Writes the value of a new record and its relations, with one journal entry for each. Returns the transaction at the
 * entry of the last relation, whose number becomes the tag of the record.
 */
export async function addParts(
  tx: Tx,
  company: CompanyRules,
  attribute: AttributeRules,
  { value, relatedValues = [] }: ValueAndRelations,
): Promise<Tx | undefined> {
  const entry = await tx.nextEntry()
  const subject = { attribute, attributeValue: value.attributeValue }
  const last = await addRelatedValues(tx, company, subject, relatedValues)
  await putRecordValue(entry, undefined, value, (last ?? entry).entryNo)
  return last
}

/** Updates the value and the relations of a changed record, with one journal entry for each change. */
export async function saveParts(
  tx: Tx,
  company: CompanyRules,
  attribute: AttributeRules,
  before: ValueAndRelations,
  after: ValueAndRelations,
): Promise<void> {
  await changeRecordValue(tx, before.value, after.value)
  if (!areRelationsChanged(before, after)) return
  const { attributeValue } = after.value
  const relations = await relationsOf(tx, attribute.id, attributeValue)
  await saveRelatedValues(tx, company, { attribute, attributeValue }, relations, after.relatedValues ?? [])
}
