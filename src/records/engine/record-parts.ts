// The parts of a record outside its own row, where it is a value of an attribute: that value, and its relations.
import { coded } from '../../errors/catalogue.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { KeyRange } from '../../store/journal/journal.ts'
import type { Tx } from '../../store/store.ts'
import type { ValueAndRelations } from '../shared/master-data/record-parts.ts'
import { changeRecordValue, type RecordValue } from '../shared/master-data/record-value-store.ts'
import { RELATION_ENTITY } from '../shared/master-data/relation-store.ts'
import { keyOf, relationsIn } from './record.ts'
import type { RecordDraft, RecordKey, RecordKind, RecordSubject } from './record-kind.ts'

/** Undefined for records that are no values. Throws 422 if the company does not have the attribute. */
export function subjectOf({ name, attributeId, words }: RecordKind, company: CompanyRules): RecordSubject | undefined {
  if (attributeId === undefined) return undefined
  const attribute = company.attributes.get(attributeId)
  if (attribute) return { attributeId, attribute }
  throw coded(422, 3010, `Company ${company.id} keeps no ${name}: its setup has no ${words.source}.`)
}

/** The journal ranges with the changes of a record: its entries, then those of its relations. */
export function journalRangesOf(kind: RecordKind, { stored }: RecordKey): readonly KeyRange[] {
  const own = { entity: kind.journalEntity, firstParts: stored }
  if (!kind.hasRelations || kind.attributeId === undefined) return [own]
  return [own, { entity: RELATION_ENTITY, firstParts: [kind.attributeId, ...stored] }]
}

/** The parts of a record with these members. */
export function partsOf(kind: RecordKind, subject: RecordSubject, draft: RecordDraft): ValueAndRelations {
  const relatedValues = relationsIn(kind, draft)
  return { value: recordValue(kind, subject, draft), ...(relatedValues ? { relatedValues } : {}) }
}

/** Closes the value of a record that is removed: values stay. */
export async function closeValue(tx: Tx, kind: RecordKind, subject: RecordSubject, stored: RecordDraft): Promise<void> {
  const value = recordValue(kind, subject, stored)
  await changeRecordValue(tx, value, { ...value, status: CLOSED_VALUE })
}

/** A value is closed with its record. */
export const CLOSED_VALUE = 'C'

function recordValue(kind: RecordKind, { attributeId }: RecordSubject, draft: RecordDraft): RecordValue {
  return { attributeId, attributeValue: keyOf(kind, draft).texts[0] ?? '', ...kind.describe(draft) }
}
