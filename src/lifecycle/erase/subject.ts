// The record whose personal values are erased: a customer with its value, all periods of an attribute value, or a
// document with all revisions.
import { createHash } from 'node:crypto'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { RecordName } from '../removal/record-name.ts'

export type PersonalRecord =
  | { readonly kind: 'customer'; readonly customerId: string }
  | { readonly kind: 'value'; readonly attributeId: string; readonly attributeValue: string }
  | { readonly kind: 'document'; readonly documentId: string }

export function keyOf(subject: PersonalRecord): readonly string[] {
  switch (subject.kind) {
    case 'customer':
      return [subject.customerId]
    case 'value':
      return [subject.attributeId, subject.attributeValue]
    case 'document':
      return [subject.documentId]
  }
}

export function nameOf(subject: PersonalRecord): string {
  return `${subject.kind} ${keyOf(subject).join(' ')}`
}

/** By which a record is found again, in a restored backup, when its key is forgotten. */
export function digestOf({ id }: CompanyRules, subject: PersonalRecord): string {
  return createHash('sha256')
    .update(JSON.stringify([id, subject.kind, ...keyOf(subject)]))
    .digest('hex')
}

/** The subject that a record is, or belongs to. */
export function subjectOf(record: RecordName): PersonalRecord {
  if (record.kind !== 'value') return record
  return { kind: 'value', attributeId: record.attributeId, attributeValue: record.attributeValue }
}

/** The kind of its journal entries. */
export const ENTITY_OF: Readonly<Record<PersonalRecord['kind'], string>> = {
  customer: 'customer',
  value: 'attribute-value',
  document: 'document',
}

/** The records that the journal may have of a subject: kinds, and the first parts of their keys. */
export function journalRangesOf(
  subject: PersonalRecord,
  value: { readonly attributeId: string; readonly attributeValue: string } | undefined,
): readonly (readonly [entities: readonly string[], firstParts: readonly string[]])[] {
  const ofValue = value
    ? ([
        [
          ['attribute-value', 'attribute-relation'],
          [value.attributeId, value.attributeValue],
        ],
      ] as const)
    : []
  if (subject.kind === 'customer') return [[['customer'], [subject.customerId]], ...ofValue]
  if (subject.kind === 'document') return [[['document', 'document-revision'], [subject.documentId]]]
  return ofValue
}

/** The texts by which stored responses tell of the subject, also within a response that is stored as a text. */
export function textsInResponses(subject: PersonalRecord): string[] {
  const [last = ''] = keyOf(subject).slice(-1)
  const members =
    subject.kind === 'document'
      ? [JSON.stringify(last)]
      : MEMBERS.map((member) => `${JSON.stringify(member)}:${JSON.stringify(last)}`)
  const paths = subject.kind === 'customer' ? [`/customers/${encodeURIComponent(last)}"`] : []
  return [...members, ...members.map((text) => JSON.stringify(text).slice(1, -1)), ...paths]
}

/** Members whose value is the key of a customer or an attribute value. */
const MEMBERS = ['customerId', 'attributeValue', 'relationValue', 'relatedValue', 'owner', 'indexValue']
