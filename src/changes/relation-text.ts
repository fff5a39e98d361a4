// The text of a relation as GET answers it, and as an item of the related values of its owner, and that of a value,
// from what the journal has of them.
import { withoutZone } from '../base/dates.ts'
import { LongNumber } from '../base/long-number.ts'
import { ENTITY as VALUE } from '../records/attribute-values/attribute-value.ts'
import { VALUES } from '../records/attribute-values/attribute-value-record.ts'
import { draftOf, recordJson } from '../records/engine/record.ts'
import type { RelationKey } from '../records/shared/master-data/relation-store.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'

/** A relation as the journal has it. */
export interface JournaledRelation extends RelationKey {
  readonly relationId: string
  readonly unitValue: number
  readonly percentage: number
  /** With their zone. */
  readonly dateFrom: string
  readonly dateTo: string
  /** By which related values are sorted. */
  readonly createdNo: number
}

/** The relation as GET answers it; the names are those of the company's rules now. */
export function relationText(company: CompanyRules, text: string): string {
  if (text === '') return ''
  const { attributeId, attributeValue, relatedAttributeId, relationValue, ...relation } = JSON.parse(
    text,
  ) as JournaledRelation
  const value = integerOf(attributeValue)
  return JSON.stringify({
    companyId: company.id,
    attributeId,
    attributeValue,
    relatedAttributeId,
    relationValue,
    attributeName: company.attributes.get(attributeId)?.name ?? '',
    attributeValueFrom: value,
    attributeValueTo: value,
    relatedAttributeName: company.attributes.get(relatedAttributeId)?.name ?? '',
    dateFrom: relation.dateFrom,
    dateTo: relation.dateTo,
    percentage: numberOf(relation.percentage),
  })
}

/** The relation as an item of the related values of its owner. */
export function relatedValueText(company: CompanyRules, relation: JournaledRelation): string {
  const rules = company.relationById(relation.relationId)
  return JSON.stringify({
    unitValue: numberOf(relation.unitValue),
    relationGroup: rules?.group ?? '',
    relationId: relation.relationId,
    relationName: rules?.name ?? '',
    relatedValue: relation.relationValue,
    percentage: numberOf(relation.percentage),
    dateFrom: withoutZone(relation.dateFrom),
    dateTo: withoutZone(relation.dateTo),
  })
}

const INTEGER = /^-?\d{1,20}$/
const LARGEST = 2n ** 63n

/** The integer of a text of at most twenty characters, when it fits in 64 bits; otherwise 0. */
function integerOf(text: string): number | LongNumber {
  if (text.length > 20 || !INTEGER.test(text)) return 0
  const integer = BigInt(text)
  if (integer >= LARGEST || integer < -LARGEST) return 0
  const number = Number(integer)
  return Number.isSafeInteger(number) ? number : new LongNumber(String(integer))
}

/** Databases write smaller numbers with an exponent, of two digits at least. */
const LEAST_PLAIN = 1e-4

/** The number as databases write it. */
function numberOf(number: number): number | LongNumber {
  if (number === 0 || Math.abs(number) >= LEAST_PLAIN) return number
  return new LongNumber(number.toExponential().replace(/e-(\d)$/, 'e-0$1'))
}

/** The start of a whole text. */
const WHOLE = '{"companyId":'

/** Whether only some members of the value are journaled, as those of the value that a record is are. */
export function isShortValue(entity: string, text: string): boolean {
  return entity === VALUE && text !== '' && !text.startsWith(WHOLE)
}

/** The value as GET answers it, but for its related values, of which only some members were journaled. */
export function wholeValue(company: CompanyRules, text: string): string {
  const value = draftOf(VALUES, company, JSON.parse(text))
  return recordJson(VALUES, company, value, undefined) ?? JSON.stringify(value)
}
