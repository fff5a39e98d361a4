// The parts of a record outside its own row, where it is a value of an attribute: that value, and its relations.
import { coded } from '../../errors/catalogue.ts'
import { Findings } from '../../errors/findings.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { KeyRange } from '../../store/journal/journal.ts'
import type { Tx } from '../../store/store.ts'
import { changeRecordValue, putRecordValue, type RecordValue } from '../shared/master-data/record-value-store.ts'
import { addRelatedValues, areRelationsChanged, saveRelatedValues } from '../shared/master-data/related-value.ts'
import { bumpOwnerVersion, RELATION_ENTITY, relationsOf } from '../shared/master-data/relation-store.ts'
import type { ValueName } from '../shared/master-data/value-store.ts'
import type { RecordKey } from '../shared/record-type.ts'
import { keyOf, relationsIn } from './record.ts'
import type { RecordDraft, RecordKind, RecordSubject } from './record-kind.ts'

/** The value of an attribute that a record is; undefined for records that are none. */
export function valueBehind({ attributeId, valueIn }: RecordKind, key: RecordKey): ValueName | undefined {
  if (valueIn) return valueIn(key)
  return attributeId === undefined ? undefined : { attributeId, attributeValue: key.texts[0] ?? '' }
}

/**
 * Undefined for records that are no values, or values of no known attribute, which is found. Throws 422 if the company
 * does not have the attribute whose values all records are.
 */
export function subjectOf(
  kind: RecordKind,
  company: CompanyRules,
  draft: RecordDraft,
  findings = new Findings(),
): RecordSubject | undefined {
  const { name, attributeId, words } = kind
  const own = kind.attributeOf?.(company, draft, findings)
  if (own) return { attributeId: own.id, attribute: own }
  if (attributeId === undefined) return undefined
  const attribute = company.attributes.get(attributeId)
  if (attribute) return { attributeId, attribute }
  throw coded(422, 3010, `Company ${company.id} keeps no ${name}: its setup has no ${words.source}.`)
}

/** The journal ranges with the changes of a record: its entries, then those of its relations. */
export function journalRangesOf(kind: RecordKind, key: RecordKey): readonly KeyRange[] {
  const own = { entity: kind.journalEntity, firstParts: key.stored }
  const value = kind.hasRelations ? valueBehind(kind, key) : undefined
  return value ? [own, { entity: RELATION_ENTITY, firstParts: [value.attributeId, value.attributeValue] }] : [own]
}

/**
 * Writes the value of a new record and its relations, with one journal entry for each. Returns the transaction at the
 * entry of the last relation, whose number becomes the tag of the record. `isAbsent`: the value is known
 * to be in no period.
 */
export function addParts(
  tx: Tx,
  company: CompanyRules,
  kind: RecordKind,
  subject: RecordSubject,
  draft: RecordDraft,
  isAbsent: boolean,
): Tx | undefined {
  const entry = tx.nextEntry()
  const value = recordValue(kind, subject, draft)
  const owner = { attribute: subject.attribute, attributeValue: value.attributeValue }
  const last = addRelatedValues(tx, company, owner, relationsIn(kind, draft) ?? [])
  // Other periods of the value contain the relations too; this one and the record get the tag as they are written.
  const ofValue = { attribute_id: subject.attributeId, attribute_value: value.attributeValue }
  if (last && !isAbsent) bumpOwnerVersion(last, company, ofValue)
  putRecordValue(entry, undefined, value, (last ?? entry).entryNo, isAbsent)
  return last
}

/**
 * Updates the value and the relations of a changed record, with one journal entry for each change. Returns what becomes
 * the tag of the record where that is not the number of its own entry; no promise where no relation changes.
 */
export function saveParts(
  tx: Tx,
  company: CompanyRules,
  kind: RecordKind,
  subject: RecordSubject,
  { stored, draft }: Readonly<Record<'stored' | 'draft', RecordDraft>>,
): Promise<number | undefined> | undefined {
  if (kind.describe) changeRecordValue(tx, recordValue(kind, subject, stored), recordValue(kind, subject, draft))
  if (!kind.hasRelations || !areRelationsChanged(stored, draft)) return undefined
  const { attributeValue } = recordValue(kind, subject, draft)
  const owner = { attribute: subject.attribute, attributeValue }
  return relationsOf(tx, subject.attributeId, attributeValue).then((relations) =>
    saveRelatedValues(tx, company, owner, relations, draft.relatedValues ?? []),
  )
}

/** Closes the value of a record that is removed: values stay. */
export function closeValue(tx: Tx, kind: RecordKind, subject: RecordSubject, stored: RecordDraft): void {
  const value = recordValue(kind, subject, stored)
  changeRecordValue(tx, value, { ...value, status: CLOSED_VALUE })
}

/** A value is closed with its record. */
export const CLOSED_VALUE = 'C'

function recordValue(kind: RecordKind, { attributeId }: RecordSubject, draft: RecordDraft): RecordValue {
  const { attributeValue = '' } = valueBehind(kind, keyOf(kind, draft)) ?? {}
  return { attributeId, attributeValue, description: '', status: '', ...kind.describe?.(draft) }
}
