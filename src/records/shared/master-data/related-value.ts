// Related values: the attribute relations of a value as a list in its record (specification, attribute values, rules 1
// and 7). The rows are those of attribute relations (decision 2).
import { andThen, inTurn } from '../../../base/in-turn.ts'
import type { FieldPath, Findings } from '../../../errors/findings.ts'
import type { RelatedValue } from '../../../model/records/related-value.ts'
import type { AttributeRules, CompanyRules, RelationRules } from '../../../setup/rules/rules.ts'
import type { Tx } from '../../../store/store.ts'
import { attributeName, isMandatory, isNotLegal } from '../messages.ts'
import { required, requireField } from '../required-field.ts'
import {
  addRelation,
  bumpOwnerVersion,
  deleteRelation,
  insertRelation,
  type StoredRelation,
  updateRelation,
} from './relation-store.ts'
import { hasUnreadItem } from './unread-items.ts'
import type { Checking } from './value-store.ts'

/** The value that has the relations. */
interface Subject {
  readonly attribute: AttributeRules
  readonly attributeValue: string
}

/** The related values of a record, now and as stored. */
interface RelatedValues {
  readonly items: readonly RelatedValue[]
  /** Undefined for a new record. */
  readonly stored: readonly RelatedValue[] | undefined
  /** Relations that the value of a new record already has, through another period of the same value. */
  readonly earlier?: readonly StoredRelation[]
}

/**
 * Checks each item that differs from the stored ones, conflicts between items, and that all mandatory relations exist.
 * A new record may be a further period of a value that already has relations: these count together with the list. A
 * promise where the database is asked.
 */
export function checkRelatedValues(
  checking: Checking,
  subject: Subject,
  { items, stored, earlier = [] }: RelatedValues,
): Promise<void> | undefined {
  const { company, findings } = checking
  const { attribute } = subject
  const isUnread = hasUnreadItem(findings, 'relatedValues', items, 'relationId')
  const others = earlier.map(relatedValueOf)
  // Stored items do not conflict with each other. Each matches one item only: a second equal item is a new one.
  const unmatched = new Set(stored?.map((item) => JSON.stringify(item)))
  const previous = [...others]
  const changed: RelatedValue[] = []
  const asked = inTurn(items, (item, index) => {
    const path = ['relatedValues', index] as const
    const isKnown = unmatched.size > 0 && unmatched.delete(JSON.stringify(item))
    const candidates = isKnown ? [...changed] : [...previous]
    previous.push(item)
    if (!isKnown) changed.push(item)
    const relation = requireRelation(checking, attribute, item, path)
    if (!isKnown) requireField([...path, 'relatedValue'], item.relatedValue, findings)
    if (!relation || findings.has([...path, 'relatedValue'])) return undefined
    const conflicting = candidates.find((other) => conflicts(company, relation, item, other))
    if (conflicting) {
      findings.add(
        [...path, 'relatedValue'],
        3010,
        alreadyConnected(company, subject, relation, conflicting.relatedValue),
      )
    }
    if (isKnown) return undefined
    checkShareAndValidity(item, path, findings)
    return checkRelatedValue(checking, relation, item, path)
  })
  return andThen(asked, (): undefined => {
    if (!isUnread) checkMandatoryRelations(checking, attribute, [...others, ...items], stored)
  })
}

/** A stored relation as a related value, with the fields that the rules use. */
function relatedValueOf(relation: StoredRelation): RelatedValue {
  return {
    dateFrom: relation.date_from,
    dateTo: relation.date_to,
    percentage: relation.percentage,
    relatedValue: relation.relation_value,
    relationGroup: '',
    relationId: relation.relation_id,
    relationName: '',
    unitValue: relation.unit_value,
  }
}

type ItemPath = readonly [string, number]

function requireRelation(
  { company, findings }: Checking,
  attribute: AttributeRules,
  item: RelatedValue,
  path: ItemPath,
): RelationRules | undefined {
  if (findings.has([...path, 'relationId'])) return undefined
  const relation = company.relationById(item.relationId)
  if (relation?.attributeId === attribute.id) return relation
  if (item.relationId === '') findings.add([...path, 'relationId'], 1010, required('relationId'))
  else findings.add([...path, 'relationId'], 3010, `Relation ${item.relationId} does not exist`)
  return undefined
}

function checkRelatedValue(
  { values, company, findings }: Checking,
  relation: RelationRules,
  { relatedValue }: RelatedValue,
  path: ItemPath,
): Promise<void> | undefined {
  const field = [...path, 'relatedValue']
  return andThen(values.isLegalValue(relation.relatedAttributeId, relatedValue), (isLegal): undefined => {
    if (!isLegal) findings.add(field, 3010, isNotLegal(company, relation.relatedAttributeId, relatedValue))
  })
}

/**
 * Whether two related values exclude each other: equal values, or overlapping validity where only one is allowed at a
 * time.
 */
function conflicts(company: CompanyRules, relation: RelationRules, item: RelatedValue, other: RelatedValue): boolean {
  const otherRelation = company.relationById(other.relationId)
  if (otherRelation?.relatedAttributeId !== relation.relatedAttributeId) return false
  if (item.relatedValue === other.relatedValue) return true
  return !relation.multiple && item.dateFrom <= other.dateTo && item.dateTo >= other.dateFrom
}

function alreadyConnected(company: CompanyRules, subject: Subject, relation: RelationRules, existing: string): string {
  const related = attributeName(company, relation.relatedAttributeId)
  return `${subject.attribute.name} : ${subject.attributeValue} is already connected to ${related}: ${existing} on client ${company.id}. Duplicates or overlaps are not allowed`
}

/**
 * Checks that every mandatory relation of the attribute exists. A change is not rejected for one that was missing
 * before.
 */
function checkMandatoryRelations(
  { company, findings }: Checking,
  attribute: AttributeRules,
  items: readonly RelatedValue[],
  stored: readonly RelatedValue[] | undefined,
): undefined {
  for (const relation of company.mandatoryRelationsOf(attribute.id)) {
    const hasRelation = (list: readonly RelatedValue[]) => list.some((item) => item.relationId === relation.id)
    if (hasRelation(items) || (stored && !hasRelation(stored))) continue
    findings.add('relatedValues', 3010, isMandatory(relation))
  }
}

interface WithRelations {
  readonly relatedValues?: readonly RelatedValue[]
}

export function areRelationsChanged(stored: WithRelations, draft: WithRelations): boolean {
  return JSON.stringify(stored.relatedValues) !== JSON.stringify(draft.relatedValues)
}

/** Whether relations come, go or change places: only the database knows their order then. */
export function areRelationsMoved(stored: WithRelations, draft: WithRelations): boolean {
  const keysOf = ({ relatedValues = [] }: WithRelations) =>
    JSON.stringify(relatedValues.map(({ relationId, relatedValue }) => [relationId, relatedValue]))
  return keysOf(stored) !== keysOf(draft)
}

/** The items as in a response, with the names and groups of the configured relations. */
export function withRelationNames(company: CompanyRules, items: readonly RelatedValue[]): RelatedValue[] {
  return items.map((item) => {
    const relation = company.relationById(item.relationId)
    return { ...item, relationGroup: relation?.group ?? '', relationName: relation?.name ?? '' }
  })
}

/**
 * Replaces the stored relations with those of the list, with one journal entry for each change. Returns the number of
 * the last entry, which becomes the tag of the value, or undefined when nothing has changed.
 */
export async function saveRelatedValues(
  tx: Tx,
  company: CompanyRules,
  subject: Subject,
  stored: readonly StoredRelation[],
  items: readonly RelatedValue[],
): Promise<number | undefined> {
  const rows = items.map((item) => rowOf(company, subject, item))
  const hasKeyOf = (one: StoredRelation) => (other: StoredRelation) => keyOf(one) === keyOf(other)
  let last: Tx | undefined
  const next = (): Tx => {
    last = tx.nextEntry()
    return last
  }
  for (const old of stored) if (!rows.some(hasKeyOf(old))) deleteRelation(next(), old)
  for (const [index, now] of rows.entries()) {
    const old = stored.find(hasKeyOf(now))
    if (!old) await insertRelation(next(), { ...now, created_no: positionOf(stored, rows, index) })
    else if (JSON.stringify({ ...now, created_no: old.created_no }) !== JSON.stringify(old)) {
      updateRelation(next(), old, now)
    }
  }
  if (last)
    bumpOwnerVersion(last, company, {
      attribute_id: subject.attribute.id,
      attribute_value: subject.attributeValue,
    })
  return last?.entryNo
}

/**
 * Adds the checked relations of a new record, with one journal entry for each. Returns the transaction at the last
 * entry, whose number becomes the tag of the value.
 */
export function addRelatedValues(
  tx: Tx,
  company: CompanyRules,
  subject: Subject,
  items: readonly RelatedValue[],
): Tx | undefined {
  let last: Tx | undefined
  for (const item of items) {
    last = tx.nextEntry()
    addRelation(last, rowOf(company, subject, item))
  }
  return last
}

/**
 * The sort position of an added relation: that of the relation it replaces at the same index, otherwise 0 for the end.
 */
function positionOf(stored: readonly StoredRelation[], rows: readonly StoredRelation[], index: number): number {
  const replaced = stored[index]
  if (stored.length !== rows.length || !replaced) return 0
  return rows.some((now) => keyOf(now) === keyOf(replaced)) ? 0 : replaced.created_no
}

function keyOf(relation: StoredRelation): string {
  return JSON.stringify([relation.related_attribute_id, relation.relation_value])
}

/** The members have the order of the columns, as the store returns them: rows are compared as JSON. */
function rowOf(company: CompanyRules, subject: Subject, item: RelatedValue): StoredRelation {
  const relation = company.relationById(item.relationId)
  if (!relation) throw new Error(`relation ${item.relationId} was not checked`)
  return {
    attribute_id: subject.attribute.id,
    attribute_value: subject.attributeValue,
    related_attribute_id: relation.relatedAttributeId,
    relation_value: item.relatedValue,
    relation_id: relation.id,
    unit_value: item.unitValue,
    percentage: item.percentage,
    date_from: item.dateFrom,
    date_to: item.dateTo,
    created_no: 0,
  }
}

interface ShareAndValidity {
  readonly percentage: number
  readonly dateFrom: string
  readonly dateTo: string
}

/** `path` is the path of the record or list item that has the fields. */
export function checkShareAndValidity(item: ShareAndValidity, path: FieldPath, findings: Findings): void {
  if (item.percentage < 0 || item.percentage > 100) {
    findings.add([...path, 'percentage'], 3010, 'The field Percentage must be between 0 and 100')
  }
  if (item.dateTo < item.dateFrom) {
    findings.add([...path, 'dateTo'], 3010, 'The field DateTo must not be before DateFrom')
  }
}
