// The schema of an attribute value, its draft, and its error messages.
import type { Static } from 'typebox'
import { coded, conflict, entityNotFound } from '../../errors/catalogue.ts'
import type { Problem } from '../../errors/problem.ts'
import { readStored, storedText, withDefaults } from '../../model/fill-record.ts'
import { type GivenOf, integer, list, number, record, text } from '../../model/schema.ts'
import { TEXT_LENGTHS } from '../../model/text-lengths.ts'
import { type AttributeRules, type CompanyRules, OPEN_PERIOD_TO } from '../../setup/rules/rules.ts'
import type { KeyFilter } from '../../store/compile/compiled-query.ts'
import type { KeyRange } from '../../store/journal/journal.ts'
import { ContactPoint } from '../shared/master-data/contact-point.ts'
import { RelatedValue, withRelationNames } from '../shared/master-data/related-value.ts'
import { RELATION_ENTITY } from '../shared/master-data/relation-store.ts'
import type { FoundValue, ValueKey, ValueRow } from './attribute-value-store.ts'

export const ENTITY = 'attribute-value'

/** The end of a period that is open (decision 0). */

export const AttributeValue = record(
  {
    attributeId: text({ description: 'The attribute; cannot be changed.' }),
    attributeName: text({ description: 'Of the attribute; answered only.' }),
    attributeValue: text({ description: 'A legal value; left out when the attribute numbers its values itself.' }),
    companyId: text(),
    contactPoints: list(ContactPoint, { description: 'Only where the attribute allows them.' }),
    customValue: number(),
    description: text({ maxLength: TEXT_LENGTHS.description }),
    owner: text({ maxLength: TEXT_LENGTHS.owner, description: 'A value of the owner attribute, where one is set up.' }),
    ownerAttributeId: text({ description: 'Of the attribute; answered only.' }),
    ownerAttributeName: text({ description: 'Of the attribute; answered only.' }),
    periodFrom: integer({ description: 'yyyypp; 0 is open.' }),
    periodTo: integer({ description: 'yyyypp; 209912, or left out, is open.', default: OPEN_PERIOD_TO }),
    relatedValues: list(RelatedValue),
    status: text({ description: 'N active (when it is left out), P parked, C closed.', default: 'N' }),
  },
  { title: 'AttributeValue' },
)

export type AttributeValue = Static<typeof AttributeValue>
export type GivenValue = GivenOf<typeof AttributeValue>

/** The complete record that a request describes, with defaults for open periods. */
export function draftOf(given: GivenValue): AttributeValue {
  return withDefaults(AttributeValue, given)
}

/** The draft of a stored record. */
export function storedDraft(found: FoundValue): AttributeValue {
  return readStored(AttributeValue, found.body)
}

/** The JSON of the record as for the single GET; undefined if only the database can produce it exactly. */
export function recordJson(
  company: CompanyRules,
  attribute: AttributeRules,
  draft: AttributeValue,
): string | undefined {
  const owner = attribute.owner === undefined ? undefined : company.attributes.get(attribute.owner)
  return storedText(AttributeValue, {
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

export function rowOf(draft: AttributeValue): ValueRow {
  return {
    attribute_id: draft.attributeId,
    attribute_value: draft.attributeValue,
    period_from: draft.periodFrom,
    period_to: draft.periodTo,
    description: draft.description,
    owner: draft.owner,
    status: draft.status,
    custom_value: draft.customValue,
    contact_points: JSON.stringify(draft.contactPoints),
  }
}

/** Selects the row of a key within its company. */
export function keyFilterOf({ attributeId, attributeValue, periodFrom }: ValueKey): KeyFilter {
  return [
    ['attribute_id', attributeId],
    ['attribute_value', attributeValue],
    ['period_from', periodFrom],
  ]
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

/**
 * The attribute and the key of a path. Throws 404 when the company has no such attribute or the period is not a valid
 * one.
 */
export function requireKey(
  company: CompanyRules,
  requested: RequestedKey,
): { attribute: AttributeRules; key: ValueKey } {
  const attribute = company.attributes.get(requested.attributeId)
  if (!attribute) throw unknownAttribute(requested.attributeId)
  if (!PERIOD.test(requested.periodFrom)) throw valueNotFound(company, requested)
  return { attribute, key: { ...requested, periodFrom: Number(requested.periodFrom) } }
}

export function alreadyExists(attributeValue: string): Problem {
  return conflict(`${attributeValue}: already exists. Please enter a unique value`, { recordExists: true })
}
