// Related values: the attribute relations of a value, as a list within its record. Rules of the specification,
// attribute values 1 and 7; the rows are those of attribute relations (decision 2).
import type { Static } from 'typebox'
import { OPEN_TO } from '../../base/dates.ts'
import type { Findings } from '../../errors/findings.ts'
import { dateTime, number, record, text } from '../../model/schema.ts'
import type { AttributeRules, CompanyRules, RelationRules } from '../../setup/rules.ts'
import type { Tx } from '../../store/store.ts'
import { isMandatory, isNotLegal, nameOf } from './messages.ts'
import { checkShareAndValidity } from './relation-rules.ts'
import {
  addRelation,
  deleteRelation,
  insertRelation,
  type StoredRelation,
  touchOwner,
  updateRelation,
} from './relation-store.ts'
import type { LegalValues } from './value-store.ts'

export const RelatedValue = record(
  {
    dateFrom: dateTime({ description: 'Start of validity; 1900-01-01 when open.' }),
    dateTo: dateTime({ description: 'End of validity; 2099-12-31 when open.', default: OPEN_TO }),
    percentage: number({ minimum: 0, maximum: 100 }),
    relatedValue: text({ description: 'A legal value of the attribute that the relation leads to.' }),
    relationGroup: text({ description: 'Of the configured relation; answered only.' }),
    relationId: text({ description: 'A relation configured for the attribute; cannot be changed.' }),
    relationName: text({ description: 'Of the configured relation; answered only.' }),
    unitValue: number(),
  },
  { title: 'RelatedValue' },
)

export type RelatedValue = Static<typeof RelatedValue>

/** The value that the relations belong to. */
export interface Subject {
  readonly attribute: AttributeRules
  readonly attributeValue: string
}

/** The related values of a record, and those that it was stored with. */
export interface RelatedValues {
  readonly items: readonly RelatedValue[]
  /** Absent for a record that is new. */
  readonly stored: readonly RelatedValue[] | undefined
  /** Those that the value of a new record has already, from another period of it. */
  readonly earlier?: readonly StoredRelation[]
}

/**
 * Checks the list as a whole, each item that is not as it was stored, and that the mandatory ones are there. A record
 * that is new may be a further period of a value that has relations already: they stand beside those of the list.
 */
export async function checkRelatedValues(
  values: LegalValues,
  company: CompanyRules,
  subject: Subject,
  { items, stored, earlier = [] }: RelatedValues,
  findings: Findings,
): Promise<void> {
  const { attribute } = subject
  const others = earlier.map(relatedValueOf)
  // Those that were stored stand beside each other already; each counts once, so that one that is doubled is not.
  const known = new Set(stored?.map((item) => JSON.stringify(item)))
  const before = [...others]
  const fresh: RelatedValue[] = []
  for (const [index, item] of items.entries()) {
    const path = ['relatedValues', index] as const
    const isKnown = known.delete(JSON.stringify(item))
    const rivals = isKnown ? [...fresh] : [...before]
    before.push(item)
    if (!isKnown) fresh.push(item)
    const relation = requireRelation(company, attribute, item, path, findings)
    if (!relation || findings.has([...path, 'relatedValue'])) continue
    const inTheWay = rivals.find((other) => clash(company, relation, item, other))
    if (inTheWay) {
      findings.add([...path, 'relatedValue'], 3010, alreadyConnected(company, subject, relation, inTheWay.relatedValue))
    }
    if (isKnown) continue
    checkShareAndValidity(item, path, findings)
    await checkRelatedValue(values, company, relation, item, path, findings)
  }
  checkMandatoryRelations(company, attribute, [...others, ...items], stored, findings)
}

/** What the rules look at of a stored relation. */
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
  company: CompanyRules,
  attribute: AttributeRules,
  item: RelatedValue,
  path: ItemPath,
  findings: Findings,
): RelationRules | undefined {
  if (findings.has([...path, 'relationId'])) return undefined
  const relation = company.relationById(item.relationId)
  if (relation?.attributeId === attribute.id) return relation
  if (item.relationId === '') findings.add([...path, 'relationId'], 1010, 'The RelationId field is required.')
  else findings.add([...path, 'relationId'], 3010, `Relation ${item.relationId} does not exist`)
  return undefined
}

async function checkRelatedValue(
  values: LegalValues,
  company: CompanyRules,
  relation: RelationRules,
  { relatedValue }: RelatedValue,
  path: ItemPath,
  findings: Findings,
): Promise<void> {
  const field = [...path, 'relatedValue']
  if (relatedValue === '') findings.add(field, 1010, 'The RelatedValue field is required.')
  else if (!(await values.isLegalValue(relation.relatedAttributeId, relatedValue))) {
    findings.add(field, 3010, isNotLegal(company, relation.relatedAttributeId, relatedValue))
  }
}

/** Two related values that cannot stand together: the same one twice, or two at a time where one is allowed. */
function clash(company: CompanyRules, relation: RelationRules, item: RelatedValue, other: RelatedValue): boolean {
  const otherRelation = company.relationById(other.relationId)
  if (otherRelation?.relatedAttributeId !== relation.relatedAttributeId) return false
  if (item.relatedValue === other.relatedValue) return true
  return !relation.multiple && item.dateFrom <= other.dateTo && item.dateTo >= other.dateFrom
}

function alreadyConnected(company: CompanyRules, subject: Subject, relation: RelationRules, existing: string): string {
  const related = nameOf(company, relation.relatedAttributeId)
  return `${subject.attribute.name} : ${subject.attributeValue} is already connected to ${related}: ${existing} on client ${company.id}. Duplicates or overlaps are not allowed`
}

/** Every relation that is mandatory for the attribute must be there; one that was not there before the change is not the change's fault. */
function checkMandatoryRelations(
  company: CompanyRules,
  attribute: AttributeRules,
  items: readonly RelatedValue[],
  stored: readonly RelatedValue[] | undefined,
  findings: Findings,
): void {
  for (const relation of company.mandatoryRelationsOf(attribute.id)) {
    const isThere = (list: readonly RelatedValue[]) => list.some((item) => item.relationId === relation.id)
    if (isThere(items) || (stored && !isThere(stored))) continue
    findings.add('relatedValues', 3010, isMandatory(relation))
  }
}

/** The items as an answer shows them, with what the configured relations are called. */
export function withRelationNames(company: CompanyRules, items: readonly RelatedValue[]): RelatedValue[] {
  return items.map((item) => {
    const relation = company.relationById(item.relationId)
    return { ...item, relationGroup: relation?.group ?? '', relationName: relation?.name ?? '' }
  })
}

/**
 * Makes the stored relations those of the list, each change with a journal entry of its own. Gives the number of the
 * last one, which is then also the tag of the value; nothing when nothing has changed.
 */
export async function saveRelatedValues(
  tx: Tx,
  company: CompanyRules,
  subject: Subject,
  stored: readonly StoredRelation[],
  items: readonly RelatedValue[],
): Promise<number | undefined> {
  const wanted = items.map((item) => storedFormOf(company, subject, item))
  const hasKeyOf = (one: StoredRelation) => (other: StoredRelation) => keyOf(one) === keyOf(other)
  let last: Tx | undefined
  const next = async (): Promise<Tx> => {
    last = await tx.next()
    return last
  }
  for (const old of stored) if (!wanted.some(hasKeyOf(old))) await deleteRelation(await next(), old)
  for (const [index, now] of wanted.entries()) {
    const old = stored.find(hasKeyOf(now))
    if (!old) await insertRelation(await next(), { ...now, created_no: placeOf(stored, wanted, index) })
    else if (JSON.stringify({ ...now, created_no: old.created_no }) !== JSON.stringify(old)) {
      await updateRelation(await next(), old, now)
    }
  }
  if (last) await touchOwner(last, { attribute_id: subject.attribute.id, attribute_value: subject.attributeValue })
  return last?.entryNo
}

/**
 * Adds the checked relations of a new record, each with a journal entry of its own. Gives the write with the number of
 * the last one, which is then the tag of the value.
 */
export async function addRelatedValues(
  tx: Tx,
  company: CompanyRules,
  subject: Subject,
  items: readonly RelatedValue[],
): Promise<Tx | undefined> {
  let last: Tx | undefined
  for (const item of items) {
    last = await tx.next()
    await addRelation(last, storedFormOf(company, subject, item))
  }
  return last
}

/** A related value that replaces another at the same index keeps its place in the list; any other one goes to the end (0). */
function placeOf(stored: readonly StoredRelation[], wanted: readonly StoredRelation[], index: number): number {
  const replaced = stored[index]
  if (stored.length !== wanted.length || !replaced) return 0
  return wanted.some((now) => keyOf(now) === keyOf(replaced)) ? 0 : replaced.created_no
}

function keyOf(relation: StoredRelation): string {
  return JSON.stringify([relation.related_attribute_id, relation.relation_value])
}

/** In the order of the columns, as the store gives them. */
function storedFormOf(company: CompanyRules, subject: Subject, item: RelatedValue): StoredRelation {
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
