// The record whose personal values are erased: a customer with its value, all periods of an attribute value, a document
// with all revisions, or a record of the setup with the value that it is.
import { createHash } from 'node:crypto'
import { addressOf, filterOf } from '../records/engine/record.ts'
import type { ValueName } from '../records/kinds/kind.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import type { OwnRecordName, RecordName, RemovableKind } from './record-name.ts'

export type PersonalRecord =
  | { readonly kind: 'customer'; readonly customerId: string }
  | { readonly kind: 'value'; readonly attributeId: string; readonly attributeValue: string }
  | { readonly kind: 'document'; readonly documentId: string }
  | OwnRecordName

export function keyOf(subject: PersonalRecord): readonly string[] {
  switch (subject.kind) {
    case 'customer':
      return [subject.customerId]
    case 'value':
      return [subject.attributeId, subject.attributeValue]
    case 'document':
      return [subject.documentId]
    case 'own':
      return subject.key.texts
  }
}

/** The key as journal entries have it. */
export function journalKeyOf(subject: PersonalRecord): readonly (string | number)[] {
  return subject.kind === 'own' ? subject.key.stored : keyOf(subject)
}

/** As commands and notes name the kind of a record. */
export function kindNameOf(kind: RemovableKind): string {
  return typeof kind === 'string' ? kind : kind.name
}

/** As commands name it, such as `customer 100010`. */
export function nameOf(subject: PersonalRecord): string {
  return `${kindNameOf(subjectKind(subject))} ${keyOf(subject).join(' ')}`
}

/** By which a record is found again, in a restored backup, when its key is forgotten. */
export function digestOf({ id }: CompanyRules, subject: PersonalRecord): string {
  return createHash('sha256')
    .update(JSON.stringify([id, kindNameOf(subjectKind(subject)), ...keyOf(subject)]))
    .digest('hex')
}

/** The record that it is; of a value the first period. */
export function recordNameOf(subject: PersonalRecord): RecordName {
  return subject.kind === 'value' ? { ...subject, periodFrom: 0 } : subject
}

function subjectKind(subject: PersonalRecord): RemovableKind {
  return subject.kind === 'own' ? subject.rules : subject.kind
}

/** The subject that a record is, or belongs to. */
export function subjectOf(record: RecordName): PersonalRecord {
  if (record.kind !== 'value') return record
  return { kind: 'value', attributeId: record.attributeId, attributeValue: record.attributeValue }
}

/** The kinds of the service with those of their journal entries; a document of the setup has its name for both. */
export const ENTITY_OF: Readonly<Record<Exclude<PersonalRecord['kind'], 'own'>, string>> = {
  customer: 'customer',
  value: 'attribute-value',
  document: 'document',
}

export function entityOf(subject: PersonalRecord): string {
  return subject.kind === 'own' ? subject.rules.name : ENTITY_OF[subject.kind]
}

type JournalRange = readonly [entities: readonly string[], firstParts: readonly (string | number)[]]

/** The records that the journal may have of a subject: kinds, and the first parts of their keys. */
export function journalRangesOf(subject: PersonalRecord, value: ValueName | undefined): readonly JournalRange[] {
  const ofValue: JournalRange[] = value
    ? [
        [
          ['attribute-value', 'attribute-relation'],
          [value.attributeId, value.attributeValue],
        ],
      ]
    : []
  switch (subject.kind) {
    case 'customer':
      return [[['customer'], [subject.customerId]], ...ofValue]
    case 'value':
      return ofValue
    case 'document':
      return [[['document', 'document-revision'], [subject.documentId]]]
    case 'own':
      return [[[subject.rules.name], subject.key.stored], ...ofValue]
  }
}

/**
 * The texts by which stored responses tell of the subject, also within a response that is stored as a text. `members`
 * are those of records of the setup that refer to it.
 */
export function textsInResponses(subject: PersonalRecord, members: Iterable<string>): string[] {
  const texts = [...new Set([...MEMBERS, ...members])].flatMap((member) =>
    valuesIn(subject).map((value) => `${JSON.stringify(member)}:${value}`),
  )
  const all = subject.kind === 'document' ? valuesIn(subject) : [...texts, ...placesOf(subject)]
  return [...all, ...all.map((text) => JSON.stringify(text).slice(1, -1))]
}

/** Members whose value is the key of a customer or an attribute value. */
const MEMBERS = ['customerId', 'attributeValue', 'relationValue', 'relatedValue', 'owner', 'indexValue']

/** The last part of the key as JSON has it; behind a number something else follows. */
export function valuesIn(subject: PersonalRecord): string[] {
  const last = keyOf(subject).at(-1) ?? ''
  return typeof journalKeyOf(subject).at(-1) === 'number' ? [`${last},`, `${last}}`] : [JSON.stringify(last)]
}

/** The address of the record, and its row. */
function placesOf(subject: PersonalRecord): string[] {
  if (subject.kind === 'customer') return [`/customers/${encodeURIComponent(subject.customerId)}"`]
  if (subject.kind !== 'own') return []
  const { rules, key } = subject
  return [`${addressOf(rules, key)}"`, `"row":${JSON.stringify(filterOf(rules, key))}`]
}
