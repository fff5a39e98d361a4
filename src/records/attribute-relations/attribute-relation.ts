// The draft of an attribute relation, its key, and its error messages.
import type { Static } from 'typebox'
import { coded, entityNotFoundMessage } from '../../errors/catalogue.ts'
import type { Problem } from '../../errors/problem.ts'
import { AttributeRelation } from '../../model/records/attribute-relation.ts'
import { record } from '../../model/schema.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { rowOf } from '../../sql/record-statements.ts'
import type { ReadTx } from '../../store/store.ts'
import { plainKind } from '../engine/plain-kind.ts'
import { filterOf, keyOf } from '../engine/record.ts'
import type { RecordKind } from '../engine/record-kind.ts'
import { RELATION_ENTITY, type StoredRelation } from '../shared/master-data/relation-store.ts'
import { attributeName } from '../shared/messages.ts'
import { notVisible, type RecordAccess } from '../shared/record-access.ts'
import type { InternalColumns } from './attribute-relation-store.ts'

// Derived members are not read from bodies: a client that sends back a record it has read must not fail on a derived
// integer that a double cannot represent.
const { attributeValueFrom: _from, attributeValueTo: _to, ...members } = AttributeRelation.schema.properties

/** The members that are read from a request body. */
export const RelationDraft = record(members)

export type RelationDraft = Static<typeof RelationDraft>

/** The row of a relation. `internal` are the columns that no request sets. */
export function relationRow(draft: RelationDraft, internal: InternalColumns): StoredRelation {
  const { relation_id, unit_value, created_no } = internal
  return { ...rowOf(AttributeRelation.fields, draft), relation_id, unit_value, created_no } as StoredRelation
}

const PLAIN = plainKind({ record: AttributeRelation, noun: RELATION_ENTITY, state: undefined })
const KEY_TITLES = ['Attribute ID', 'Attribute value', 'Related attribute ID', 'Relation value']

export const RELATIONS: RecordKind = {
  ...PLAIN,
  schema: RelationDraft,
  words: { ...PLAIN.words, keyTitles: KEY_TITLES },
  patchStatus: 422,
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
  const subject = `${attributeName(company, draft.attributeId)} : ${draft.attributeValue}`
  const related = `${attributeName(company, draft.relatedAttributeId)} : ${existing}`
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
    const isVisible = await access.isVisible(tx, filterOf(RELATIONS, keyOf(RELATIONS, { ...draft, relationValue })))
    if (isVisible) return alreadyConnected(company, draft, relationValue)
  }
  return notVisible()
}
