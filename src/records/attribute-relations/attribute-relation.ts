// The schema of an attribute relation, its draft, and its error messages.
import type { Static } from 'typebox'
import { OPEN_TO } from '../../base/dates.ts'
import { coded, entityNotFound, entityNotFoundMessage } from '../../errors/catalogue.ts'
import type { Problem } from '../../errors/problem.ts'
import { readStored, withDefaults } from '../../model/fill-record.ts'
import { dateTime, type GivenOf, integer, number, record, text } from '../../model/schema.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { KeyFilter } from '../../store/compile/compiled-query.ts'
import type { KeyRange } from '../../store/journal/journal.ts'
import type { ReadTx } from '../../store/store.ts'
import { notVisible, type RecordAccess } from '../shared/access/record-access.ts'
import { RELATION_ENTITY, type RelationKey, type StoredRelation } from '../shared/master-data/relation-store.ts'
import { nameOf } from '../shared/messages.ts'
import type { FoundRelation, InternalColumns } from './attribute-relation-store.ts'

export const AttributeRelation = record(
  {
    attributeId: text({ description: 'The attribute; cannot be changed.' }),
    attributeName: text({ description: 'Of the attribute; answered only.' }),
    attributeValue: text({ description: 'A legal value of the attribute; cannot be changed.' }),
    attributeValueFrom: integer({ description: 'The value, when it is an integer; else 0. Answered only.' }),
    attributeValueTo: integer({ description: 'As attributeValueFrom.' }),
    companyId: text(),
    dateFrom: dateTime({ description: 'Start of validity; 1900-01-01 when open.' }),
    dateTo: dateTime({ description: 'End of validity; 2099-12-31 when open.', default: OPEN_TO }),
    percentage: number({ minimum: 0, maximum: 100 }),
    relatedAttributeId: text({ description: 'An attribute that a configured relation leads to; cannot be changed.' }),
    relatedAttributeName: text({ description: 'Of the related attribute; answered only.' }),
    relationValue: text({ description: 'A legal value of the related attribute.' }),
  },
  { title: 'AttributeRelation' },
)

// Derived members are not read from bodies: a client that sends back a record it has read must not fail on a derived
// integer that a double cannot represent.
const { attributeValueFrom: _from, attributeValueTo: _to, ...members } = AttributeRelation.properties

/** The members that are read from a request body. */
export const RelationDraft = record(members)

export type RelationDraft = Static<typeof RelationDraft>
export type GivenRelation = GivenOf<typeof RelationDraft>

/** The complete relation that a request describes, with defaults for open dates. */
export function draftOf(given: GivenRelation): RelationDraft {
  return withDefaults(RelationDraft, given)
}

/** The draft of a stored relation. */
export function storedDraft(found: FoundRelation): RelationDraft {
  return readStored(RelationDraft, found.body)
}

export function keyOf(draft: RelationDraft): RelationKey {
  const { attributeId, attributeValue, relatedAttributeId, relationValue } = draft
  return { attributeId, attributeValue, relatedAttributeId, relationValue }
}

export function rowOf(draft: RelationDraft, { relation_id, unit_value, created_no }: InternalColumns): StoredRelation {
  return {
    attribute_id: draft.attributeId,
    attribute_value: draft.attributeValue,
    related_attribute_id: draft.relatedAttributeId,
    relation_value: draft.relationValue,
    relation_id,
    unit_value,
    percentage: draft.percentage,
    date_from: draft.dateFrom,
    date_to: draft.dateTo,
    created_no,
  }
}

/** Selects the row of a key within its company. */
export function keyFilterOf({
  attributeId,
  attributeValue,
  relatedAttributeId,
  relationValue,
}: RelationKey): KeyFilter {
  return [
    ['attribute_id', attributeId],
    ['attribute_value', attributeValue],
    ['related_attribute_id', relatedAttributeId],
    ['relation_value', relationValue],
  ]
}

/** The journal ranges with the changes of a relation. */
export function journalRangesOf(key: RelationKey): KeyRange[] {
  const { attributeId, attributeValue, relatedAttributeId, relationValue } = key
  return [{ entity: RELATION_ENTITY, firstParts: [attributeId, attributeValue, relatedAttributeId, relationValue] }]
}

export function relationNotFound(company: CompanyRules, key: RelationKey): Problem {
  return entityNotFound({
    Company: company.id,
    'Attribute ID': key.attributeId,
    'Attribute value': key.attributeValue,
    'Related attribute ID': key.relatedAttributeId,
    'Relation value': key.relationValue,
  })
}

/** The message of rule 3 (specification, attribute relations). */
export function subjectNotFound(company: CompanyRules, { attributeId, attributeValue }: RelationDraft): string {
  return entityNotFoundMessage({
    Company: company.id,
    'Attribute ID': attributeId,
    'Attribute value': attributeValue,
  })
}

/**
 * The error of rule 2 (specification, attribute relations). `existing` is the related value of the conflicting
 * relation.
 */
function alreadyConnected(company: CompanyRules, draft: RelationDraft, existing: string): Problem {
  const subject = `${nameOf(company, draft.attributeId)} : ${draft.attributeValue}`
  const related = `${nameOf(company, draft.relatedAttributeId)} : ${existing}`
  const message = `${subject} is already connected to ${related} on client ${company.id}. Duplicates or overlaps are not allowed.`
  return coded(422, 3010, message, { recordExists: true })
}

/**
 * The error for the first conflicting relation that is visible to the caller. If all are hidden, it does not disclose
 * them.
 */
export async function connectionConflict(
  tx: ReadTx,
  company: CompanyRules,
  draft: RelationDraft,
  existing: readonly string[],
  access: RecordAccess,
): Promise<Problem> {
  for (const relationValue of existing) {
    const isVisible = await access.isVisible(tx, keyFilterOf({ ...keyOf(draft), relationValue }))
    if (isVisible) return alreadyConnected(company, draft, relationValue)
  }
  return notVisible()
}
