// The draft of an attribute value, its key, and its error messages.

import type { Caller } from '../../access/caller.ts'
import { memo } from '../../base/memo.ts'
import { coded, conflict, entityNotFound } from '../../errors/catalogue.ts'
import type { Problem } from '../../errors/problem.ts'
import type { DocumentDefinition } from '../../model/document.ts'
import { readStored, storedText, withDefaults } from '../../model/fill-record.ts'
import { AttributeValue } from '../../model/records/attribute-value.ts'
import type { GivenOf } from '../../model/schema.ts'
import type { AttributeRules, CompanyRules } from '../../setup/rules/rules.ts'
import type { KeyFilter } from '../../sql/rows/compiled-query.ts'
import type { KeyRange } from '../../store/journal/journal.ts'
import { filterOf } from '../engine/record.ts'
import type { StoredRecord } from '../engine/record-store.ts'
import { withRelationNames } from '../shared/master-data/related-value.ts'
import { RELATION_ENTITY } from '../shared/master-data/relation-store.ts'
import { recordAccess } from '../shared/record-access.ts'
import type { RecordOperation } from '../shared/record-type.ts'
import { VALUES, type ValueKey } from './attribute-value-store.ts'

export const ENTITY = 'attribute-value'

export type GivenValue = GivenOf<typeof AttributeValue.schema>

/** The complete record that a request describes, with defaults for open periods. */
export function draftOf(given: GivenValue): AttributeValue {
  return withDefaults(AttributeValue.schema, given)
}

/** The draft of a stored record. */
export function storedDraft(found: StoredRecord): AttributeValue {
  return readStored(AttributeValue.schema, found.body)
}

/** The JSON of the record as for the single GET; undefined if only the database can produce it exactly. */
export function recordJson(
  company: CompanyRules,
  attribute: AttributeRules,
  draft: AttributeValue,
): string | undefined {
  const owner = attribute.owner === undefined ? undefined : company.attributes.get(attribute.owner)
  return storedText(AttributeValue.schema, {
    ...draft,
    attributeName: attribute.name,
    ownerAttributeId: attribute.owner ?? '',
    ownerAttributeName: owner?.name ?? '',
    relatedValues: withRelationNames(company, draft.relatedValues),
  })
}

export function keyOf({ attributeId, attributeValue, periodFrom }: AttributeValue): ValueKey {
  return { attributeId, attributeValue, periodFrom }
}

/** Selects the row of a key within its company. */
export function keyFilterOf(key: ValueKey): KeyFilter {
  return filterOf(VALUES, { texts: [], stored: journalKey(key) })
}

/** The parts of the key as the journal stores them. */
export function journalKey({ attributeId, attributeValue, periodFrom }: ValueKey): (string | number)[] {
  return [attributeId, attributeValue, periodFrom]
}

/**
 * The journal ranges with the changes of a value. Its relations belong to all its periods, so they may have changed
 * through another period.
 */
export function journalRangesOf(key: ValueKey): KeyRange[] {
  return [
    { entity: ENTITY, firstParts: journalKey(key) },
    { entity: RELATION_ENTITY, firstParts: [key.attributeId, key.attributeValue] },
  ]
}

/** 404 for an attribute that the company does not have (decision 2). */
function unknownAttribute(attributeId: string): Problem {
  return coded(404, 1040, notAnAttribute(attributeId))
}

export function notAnAttribute(attributeId: string): string {
  return `${attributeId} is not a valid attribute`
}

export function valueNotFound(company: CompanyRules, key: ValueKey | RequestedKey): Problem {
  return entityNotFound({
    Company: company.id,
    'Attribute ID': key.attributeId,
    'Attribute value': key.attributeValue,
    'Period from': key.periodFrom,
  })
}

/** A key from a path, whose period is not validated. */
export interface RequestedKey {
  readonly attributeId: string
  readonly attributeValue: string
  readonly periodFrom: string
}

const PERIOD = /^(?:0|[1-9]\d{0,5})$/

/** The key of a path. Throws 404 when the company has no such attribute or the period is not a valid one. */
export function requireKey(company: CompanyRules, requested: RequestedKey): ValueKey {
  if (!company.attributes.has(requested.attributeId)) throw unknownAttribute(requested.attributeId)
  if (!PERIOD.test(requested.periodFrom)) throw valueNotFound(company, requested)
  return { ...requested, periodFrom: Number(requested.periodFrom) }
}

export function overlapMessage(attributeValue: string, overlaps: readonly number[]): string {
  return `The period overlaps that of ${attributeValue} from ${overlaps.join(', ')}`
}

export function alreadyExists(attributeValue: string): Problem {
  return conflict(`${attributeValue}: already exists. Please enter a unique value`, { recordExists: true })
}

/** The definition for the collection of one attribute: the fields of the resource without its lists. */
export const baseDataOf = memo((definition: DocumentDefinition): DocumentDefinition => {
  const { lastUpdated: _when, contactPoints: _points, relatedValues: _related, ...properties } = definition.properties
  return { ...definition, properties }
})

/** The caller's access to single values for an operation. */
export function valueAccess(caller: Caller, company: CompanyRules, operation: RecordOperation) {
  return recordAccess(caller, company, `attribute-values:${operation}`, AttributeValue.document)
}
