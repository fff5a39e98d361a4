// The rules of a company in force: what its setup says, with defaults filled in and ready to be asked.
import { CUSTOM_TEXT_LENGTH, TextLengths } from '../model/text-lengths.ts'
import { type Quotas, quotasOf } from './quotas.ts'
import type {
  AttributeSetup,
  CompanySetup,
  CustomersSetup,
  DocumentTypeSetup,
  NumberingSetup,
  RelationSetup,
  ValueListSetup,
} from './setup-schema.ts'
import { ValueLists } from './value-lists.ts'
import { storedValueRule, type ValueRule } from './value-rule.ts'

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

/** Where the legal values of a field stand: a value list, or the values of an attribute. */
export type LegalValuesOf = { readonly valueList: string } | { readonly attributeId: string }

export type CodedCustomerField = keyof NonNullable<CustomersSetup['legalValues']>

export interface CustomFieldRules {
  readonly name: string
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date-time'
  readonly maxLength: number
  readonly minimum: number | undefined
  readonly maximum: number | undefined
  readonly required: boolean
  readonly legalValues: LegalValuesOf | undefined
}

export interface CustomFieldGroupRules {
  readonly name: string
  readonly fields: readonly CustomFieldRules[]
}

export interface CustomerRules {
  /** Customers are values of it. */
  readonly attributeId: string
  readonly generalContactPointType: string
  readonly numbering: NumberingRules | undefined
  readonly mandatoryRelations: readonly string[]
  /** A field that is not there takes any value. */
  readonly legalValues: Readonly<Partial<Record<CodedCustomerField, LegalValuesOf>>>
  readonly customFieldGroups: readonly CustomFieldGroupRules[]
}

export interface DocumentIndexRules {
  readonly sequenceNo: number
  readonly name: string
  /** Its values must be open values of this attribute. */
  readonly attributeId: string | undefined
  readonly maxLength: number
  readonly required: boolean
}

export interface DocumentTypeRules {
  readonly id: string
  readonly description: string
  /** Present: a document without an expiry date gets one. */
  readonly retentionMonths: number | undefined
  /** In the order of their sequence numbers. */
  readonly indexes: readonly DocumentIndexRules[]
}

/** The first and the last period of an open range are legal everywhere (decision 0). */
const OPEN_PERIODS = new Set([0, 209_912])
const PERIODS_PER_YEAR = 12
const DEFAULT_LANGUAGE = 'EN'
const FIRST_PERIOD = 190_001
const LAST_PERIOD = 209_999

type OwnRules = Pick<
  CompanySetup,
  'id' | 'name' | 'periods' | 'language' | 'currentAccountingPeriod' | 'textLengths' | 'quotas'
>

export class CompanyRules {
  readonly id: string
  readonly name: string
  /** Of descriptions, where a caller asks for none that is there. */
  readonly language: string
  readonly attributes: ReadonlyMap<string, AttributeRules>
  readonly relations: ReadonlyMap<string, RelationRules>
  readonly valueLists: ValueLists
  /** As it is set up; 0 stands for the period of today. */
  readonly setPeriod: number
  /** The longest texts of its records. */
  readonly textLengths: TextLengths
  /** What may be kept for ever; none where absent. */
  readonly quotas: Quotas
  readonly #periods: NonNullable<CompanySetup['periods']>
  /** How customers are kept; absent where the company keeps none. */
  readonly customers: CustomerRules | undefined
  readonly documentTypes: ReadonlyMap<string, DocumentTypeRules>
  readonly #byName: ReadonlyMap<string, AttributeRules>
  readonly #links: ReadonlyMap<string, RelationRules>

  constructor(
    company: OwnRules,
    attributes: readonly AttributeSetup[],
    relations: readonly RelationSetup[],
    customers: CustomersSetup | undefined,
    valueLists: Readonly<Record<string, ValueListSetup>> = {},
    documentTypes: readonly DocumentTypeSetup[] = [],
  ) {
    this.id = company.id
    this.name = company.name
    this.language = (company.language ?? DEFAULT_LANGUAGE).toUpperCase()
    this.textLengths = new TextLengths(company.textLengths)
    this.quotas = quotasOf(company.quotas)
    this.setPeriod = company.currentAccountingPeriod ?? 0
    this.valueLists = new ValueLists(valueLists, this.language)
    this.#periods = company.periods ?? []
    this.customers = customers && customerRules(customers)
    this.documentTypes = new Map(documentTypes.map((type) => [type.id, documentTypeRules(type)]))
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

  /** The period in which records are kept now; that of the day where none is set up. */
  currentPeriod(today: Date): number {
    return this.setPeriod || today.getUTCFullYear() * 100 + today.getUTCMonth() + 1
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
    if (this.customers?.attributeId !== attributeId) return []
    return this.customers.mandatoryRelations.flatMap((id) => this.relations.get(id) ?? [])
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
    checkValue: storedValueRule(attribute.values ?? {}),
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

/** Of an index value whose setup says nothing. */
const INDEX_LENGTH = 255

function documentTypeRules({
  id,
  description = '',
  retentionMonths,
  indexes = [],
}: DocumentTypeSetup): DocumentTypeRules {
  const rules = indexes.map(({ sequenceNo, name, attributeId, maxLength = INDEX_LENGTH, required = false }) => {
    return { sequenceNo, name, attributeId, maxLength, required }
  })
  return { id, description, retentionMonths, indexes: rules.sort((one, other) => one.sequenceNo - other.sequenceNo) }
}

const GENERAL_CONTACT_POINT_TYPE = '1'

function customerRules(customers: CustomersSetup): CustomerRules {
  return {
    attributeId: customers.attributeId,
    generalContactPointType: customers.generalContactPointType ?? GENERAL_CONTACT_POINT_TYPE,
    numbering: customers.numbering && numberingRules(customers.numbering),
    mandatoryRelations: customers.mandatoryRelations ?? [],
    legalValues: Object.fromEntries(
      Object.entries(customers.legalValues ?? {}).map(([field, legal]) => [field, legalValuesOf(legal)]),
    ),
    customFieldGroups: (customers.customFieldGroups ?? []).map(({ name, fields }) => ({
      name,
      fields: fields.map(({ required = false, legalValues, ...field }) => ({
        name: field.name,
        type: field.type,
        maxLength: field.maxLength ?? CUSTOM_TEXT_LENGTH,
        minimum: field.minimum,
        maximum: field.maximum,
        required,
        legalValues: legalValues && legalValuesOf(legalValues),
      })),
    })),
  }
}

/** The setup was checked: one of both is there. */
function legalValuesOf({ valueList, attributeId = '' }: { valueList?: string; attributeId?: string }): LegalValuesOf {
  return valueList === undefined ? { attributeId } : { valueList }
}
