// The shape of an attribute relation, its draft, and the words of its refusals.
import type { Static } from 'typebox'
import { OPEN_TO } from '../../base/dates.ts'
import { coded, entityNotFound, entityNotFoundMessage } from '../../errors/catalogue.ts'
import type { Problem } from '../../errors/problem.ts'
import { readStored, withDefaults } from '../../model/fill-record.ts'
import { dateTime, type GivenOf, integer, number, record, text } from '../../model/schema.ts'
import type { CompanyRules } from '../../setup/rules.ts'
import type { KeyRange } from '../../store/journal.ts'
import type { ReadTx, Scope } from '../../store/store.ts'
import { nameOf } from '../shared/messages.ts'
import { RELATION_ENTITY, type RelationKey, type StoredRelation } from '../shared/relation-store.ts'
import { outOfSight, type Sight } from '../shared/sight.ts'
import type { FoundRelation, KeptColumns } from './attribute-relation-store.ts'

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

// They follow from the value. A client that sends back what it has read must not fail on one that no double can hold.
const { attributeValueFrom: _from, attributeValueTo: _to, ...members } = AttributeRelation.properties

/** What is read of a body. */
export const RelationDraft = record(members)

export type RelationDraft = Static<typeof RelationDraft>
export type GivenRelation = GivenOf<typeof RelationDraft>

/** A whole relation as a caller wants it, open ends filled in. */
export function draftOf(given: GivenRelation): RelationDraft {
  return withDefaults(RelationDraft, given)
}

/** The relation as it was written. */
export function storedDraft(found: FoundRelation): RelationDraft {
  return readStored(RelationDraft, found.body)
}

export function keyOf(draft: RelationDraft): RelationKey {
  const { attributeId, attributeValue, relatedAttributeId, relationValue } = draft
  return { attributeId, attributeValue, relatedAttributeId, relationValue }
}

export function rowOf(draft: RelationDraft, { relation_id, unit_value, created_no }: KeptColumns): StoredRelation {
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

/** The row of a key, below its company. */
export function rowWith({ attributeId, attributeValue, relatedAttributeId, relationValue }: RelationKey): Scope {
  return [
    ['attribute_id', attributeId],
    ['attribute_value', attributeValue],
    ['related_attribute_id', relatedAttributeId],
    ['relation_value', relationValue],
  ]
}

/** Where the journal tells what has changed of a relation. */
export function changesOf(key: RelationKey): KeyRange[] {
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

/** spec: attribute relations, rule 3. */
export function subjectNotFound(company: CompanyRules, { attributeId, attributeValue }: RelationDraft): string {
  return entityNotFoundMessage({
    Company: company.id,
    'Attribute ID': attributeId,
    'Attribute value': attributeValue,
  })
}

/** spec: attribute relations, rule 2. `existing` is the value of the connection that stands in the way. */
function alreadyConnected(company: CompanyRules, draft: RelationDraft, existing: string): Problem {
  const subject = `${nameOf(company, draft.attributeId)} : ${draft.attributeValue}`
  const related = `${nameOf(company, draft.relatedAttributeId)} : ${existing}`
  const message = `${subject} is already connected to ${related} on client ${company.id}. Duplicates or overlaps are not allowed.`
  return coded(422, 3010, message)
}

/** Tells of the first of several connections that the caller sees. Where he sees none, nothing tells that they are there. */
export async function connectedTo(
  tx: ReadTx,
  company: CompanyRules,
  draft: RelationDraft,
  existing: readonly string[],
  sight: Sight,
): Promise<Problem> {
  for (const relationValue of existing) {
    const isSeen = await sight.seesNow(tx, rowWith({ ...keyOf(draft), relationValue }))
    if (isSeen) return alreadyConnected(company, draft, relationValue)
  }
  return outOfSight()
}
