// The values that a record is related to, two steps far.
import { filter } from '#client'
import { fetchJson } from '../../service/client.ts'
import { addressOf } from '../../service/question.ts'

/** A value of an attribute. */
export interface Value {
  readonly attributeId: string
  readonly attributeValue: string
}

export interface Relation extends Value {
  readonly relatedAttributeId: string
  readonly relatedAttributeName: string
  readonly relationValue: string
  readonly percentage: number
  readonly dateFrom: string
  readonly dateTo: string
}

/** What is known of a value besides its code. */
export interface KnownValue extends Value {
  readonly description: string
  readonly periodFrom: number
}

export interface RelationGraph {
  /** The relations that the record itself has. */
  readonly first: readonly Relation[]
  /** Those that the values have to which `first` leads. */
  readonly second: readonly Relation[]
  readonly values: ReadonlyMap<string, KnownValue>
  /** Whether there are more than are answered. */
  readonly isCut: boolean
}

const MOST_FIRST = 12
const MOST_SECOND = 36

export const valueKey = ({ attributeId, attributeValue }: Value): string =>
  JSON.stringify([attributeId, attributeValue])

export const targetOf = ({ relatedAttributeId, relationValue }: Relation): Value => ({
  attributeId: relatedAttributeId,
  attributeValue: relationValue,
})

interface Start {
  /** Undefined for records that are values of an attribute without saying which. */
  readonly attributeId: string | undefined
  readonly attributeValue: string
  /** As the record itself has them. */
  readonly relatedValues: readonly string[]
}

export async function fetchRelations(company: string, start: Start): Promise<RelationGraph> {
  const found = await relationsOf(company, startFilter(start), MOST_FIRST + 1)
  const first = found.slice(0, MOST_FIRST)
  const targets = distinct(first.map(targetOf))
  if (targets.length === 0) return { first, second: [], values: new Map(), isCut: false }
  const [second, values] = await Promise.all([
    relationsOf(company, eitherOf(targets), MOST_SECOND + 1),
    valuesOf(company, targets),
  ])
  const further = distinct(second.map(targetOf)).filter((value) => !values.has(valueKey(value)))
  for (const [key, value] of further.length > 0 ? await valuesOf(company, further) : []) values.set(key, value)
  const isCut = found.length > MOST_FIRST || second.length > MOST_SECOND
  return { first, second: second.slice(0, MOST_SECOND), values, isCut }
}

function startFilter({ attributeId, attributeValue, relatedValues }: Start): string {
  if (attributeId !== undefined) {
    return String(filter`attributeId eq ${attributeId} and attributeValue eq ${attributeValue}`)
  }
  // Values of other attributes may have the same code: only what the record itself has counts.
  const own = relatedValues.map((value) => String(filter`relationValue eq ${value}`)).join(' or ')
  return `${filter`attributeValue eq ${attributeValue}`} and (${own})`
}

const eitherOf = (values: readonly Value[]): string =>
  values
    .map(({ attributeId, attributeValue }) =>
      String(filter`(attributeId eq ${attributeId} and attributeValue eq ${attributeValue})`),
    )
    .join(' or ')

const relationsOf = (company: string, condition: string, limit: number) =>
  fetchJson<Relation[]>(
    addressOf(company, {
      document: 'attribute-relations',
      filter: condition,
      orderBy: 'relatedAttributeId,relationValue,dateFrom',
      limit,
    }),
  )

async function valuesOf(company: string, values: readonly Value[]): Promise<Map<string, KnownValue>> {
  const rows = await fetchJson<KnownValue[]>(
    addressOf(company, {
      document: 'attribute-values',
      select: 'attributeId,attributeValue,periodFrom,description',
      filter: eitherOf(values),
      orderBy: 'periodFrom',
      limit: 200,
    }),
  )
  return new Map(rows.map((row) => [valueKey(row), row]))
}

function distinct(values: readonly Value[]): Value[] {
  return [...new Map(values.map((value) => [valueKey(value), value])).values()]
}
