// The rules of a company in force: what its setup says, with defaults filled in and ready to be asked.
import type { AttributeSetup, CompanySetup, CustomersSetup, NumberingSetup, RelationSetup } from './setup-schema.ts'
import { type ValueRule, valueRule } from './value-rule.ts'

export interface NumberingRules {
  readonly series: string
  readonly from: number
  readonly to: number
  readonly prefix: string
  /** Digits of the number, filled up with zeros in front. */
  readonly width: number
}

export interface AttributeRules {
  readonly id: string
  readonly name: string
  readonly description: string
  /** Whether clients may write its values. */
  readonly manual: boolean
  readonly contactPoints: boolean
  /** The attribute whose values own the values of this one. */
  readonly owner: string | undefined
  readonly numbering: NumberingRules | undefined
  /** What is wrong with a value, or nothing. */
  readonly checkValue: ValueRule
}

export interface RelationRules {
  readonly id: string
  readonly name: string
  readonly group: string
  readonly attributeId: string
  readonly relatedAttributeId: string
  /** Whether several related values may hold at the same time. */
  readonly multiple: boolean
}

/** The first and the last period of an open range are legal everywhere (decision 0). */
const OPEN_PERIODS = new Set([0, 209_912])
const PERIODS_PER_YEAR = 12
const FIRST_PERIOD = 190_001
const LAST_PERIOD = 209_999

export class CompanyRules {
  readonly id: string
  readonly name: string
  readonly attributes: ReadonlyMap<string, AttributeRules>
  readonly relations: ReadonlyMap<string, RelationRules>
  readonly #periods: NonNullable<CompanySetup['periods']>
  readonly #customers: CustomersSetup | undefined
  readonly #byName: ReadonlyMap<string, AttributeRules>
  readonly #links: ReadonlyMap<string, RelationRules>

  constructor(
    company: Pick<CompanySetup, 'id' | 'name' | 'periods'>,
    attributes: readonly AttributeSetup[],
    relations: readonly RelationSetup[],
    customers: CustomersSetup | undefined,
  ) {
    this.id = company.id
    this.name = company.name
    this.#periods = company.periods ?? []
    this.#customers = customers
    this.attributes = new Map(attributes.map((attribute) => [attribute.id, attributeRules(attribute)]))
    this.relations = new Map(relations.map((relation) => [relation.id, relationRules(relation)]))
    this.#byName = new Map([...this.attributes.values()].map((attribute) => [attribute.name, attribute]))
    this.#links = new Map(
      [...this.relations.values()].map((relation) => [
        linkKey(relation.attributeId, relation.relatedAttributeId),
        relation,
      ]),
    )
  }

  attributeByName(name: string): AttributeRules | undefined {
    return this.#byName.get(name)
  }

  relationById(id: string): RelationRules | undefined {
    return this.relations.get(id)
  }

  /** The relation configured from one attribute to another. */
  linkBetween(attributeId: string, relatedAttributeId: string): RelationRules | undefined {
    return this.#links.get(linkKey(attributeId, relatedAttributeId))
  }

  /** The relations that every value of the attribute must have: only the customers' attribute has some. */
  mandatoryRelationsOf(attributeId: string): readonly RelationRules[] {
    if (this.#customers?.attributeId !== attributeId) return []
    return (this.#customers.mandatoryRelations ?? []).flatMap((id) => this.relations.get(id) ?? [])
  }

  /** Whether a period exists: inside a configured range, or of the usual twelve a year where none is configured. */
  isLegalPeriod(period: number): boolean {
    if (OPEN_PERIODS.has(period)) return true
    if (this.#periods.length === 0) return isInRange(period, FIRST_PERIOD, LAST_PERIOD, PERIODS_PER_YEAR)
    return this.#periods.some(({ from, to, perYear = PERIODS_PER_YEAR }) => isInRange(period, from, to, perYear))
  }
}

function isInRange(period: number, from: number, to: number, perYear: number): boolean {
  const ofYear = period % 100
  return Number.isInteger(period) && period >= from && period <= to && ofYear >= 1 && ofYear <= perYear
}

function linkKey(attributeId: string, relatedAttributeId: string): string {
  return JSON.stringify([attributeId, relatedAttributeId])
}

function attributeRules(attribute: AttributeSetup): AttributeRules {
  return {
    id: attribute.id,
    name: attribute.name,
    description: attribute.description ?? '',
    manual: attribute.maintenance !== 'system',
    contactPoints: attribute.contactPoints ?? false,
    owner: attribute.owner?.attributeId,
    numbering: attribute.numbering && numberingRules(attribute.numbering),
    checkValue: valueRule(attribute.values ?? {}),
  }
}

function numberingRules({ series, from, to, prefix = '', width = 0 }: NumberingSetup): NumberingRules {
  return { series, from, to, prefix, width }
}

function relationRules({
  id,
  name,
  group = '',
  attributeId,
  relatedAttributeId,
  multiple = false,
}: RelationSetup): RelationRules {
  return { id, name, group, attributeId, relatedAttributeId, multiple }
}
