// The draft of an attribute relation, its key, and its error messages.
import type { Static } from 'typebox'
import type { Caller } from '../../access/caller.ts'
import { coded, entityNotFound, entityNotFoundMessage } from '../../errors/catalogue.ts'
import type { Problem } from '../../errors/problem.ts'
import { readStored, withDefaults } from '../../model/fill-record.ts'
import { AttributeRelation } from '../../model/records/attribute-relation.ts'
import { type GivenOf, record } from '../../model/schema.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { rowOf } from '../../sql/record-statements.ts'
import type { KeyFilter } from '../../sql/rows/compiled-query.ts'
import type { KeyRange } from '../../store/journal/journal.ts'
import type { ReadTx } from '../../store/store.ts'
import { filterOf } from '../engine/record.ts'
import { RELATION_ENTITY, type RelationKey, type StoredRelation } from '../shared/master-data/relation-store.ts'
import { nameOf } from '../shared/messages.ts'
import { notVisible, type RecordAccess, recordAccess } from '../shared/record-access.ts'
import type { RecordOperation } from '../shared/record-type.ts'
import type { FoundRelation, InternalColumns } from './attribute-relation-store.ts'

// Derived members are not read from bodies: a client that sends back a record it has read must not fail on a derived
// integer that a double cannot represent.
const { attributeValueFrom: _from, attributeValueTo: _to, ...members } = AttributeRelation.schema.properties

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

/** The row of a relation. `internal` are the columns that no request sets. */
export function relationRow(draft: RelationDraft, internal: InternalColumns): StoredRelation {
  const { relation_id, unit_value, created_no } = internal
  return { ...rowOf(AttributeRelation.fields, draft), relation_id, unit_value, created_no } as StoredRelation
}

/** What the key of a relation is made of. */
export const RELATIONS = {
  record: AttributeRelation,
  keyNames: ['attributeId', 'attributeValue', 'relatedAttributeId', 'relationValue'],
} as const

/** Selects the row of a key within its company. */
export function keyFilterOf(key: RelationKey): KeyFilter {
  return filterOf(RELATIONS, { texts: [], stored: journalKey(key) })
}

/** The caller's access to single relations for an operation. */
export function relationAccess(caller: Caller, company: CompanyRules, operation: RecordOperation): RecordAccess {
  return recordAccess(caller, company, `attribute-relations:${operation}`, AttributeRelation.document)
}

/** The parts of the key as the journal stores them. */
export function journalKey({ attributeId, attributeValue, relatedAttributeId, relationValue }: RelationKey): string[] {
  return [attributeId, attributeValue, relatedAttributeId, relationValue]
}

/** The journal ranges with the changes of a relation. */
export function journalRangesOf(key: RelationKey): KeyRange[] {
  return [{ entity: RELATION_ENTITY, firstParts: journalKey(key) }]
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
