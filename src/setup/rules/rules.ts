// The rules of a company: its setup with defaults filled in and lookups prepared.
import type { Titles } from '../../model/document.ts'
import { OPEN_PERIOD_TO } from '../../model/records/attribute-value.ts'
import { CUSTOM_TEXT_LENGTH, TextLengths } from '../../model/records/text-lengths.ts'
import type { NamesSetup } from '../file/schema-parts.ts'
import type {
  AttributeSetup,
  CompanySetup,
  CustomersSetup,
  DocumentTypeSetup,
  HoldSetup,
  NumberingSetup,
  RelationSetup,
  ValueListSetup,
} from '../file/setup-schema.ts'
import { type Quotas, quotasOf } from './quotas.ts'
import { type SourceRules, sourceRules } from './source.ts'
import { ValueLists } from './value-lists.ts'
import { storedValueRule, type ValueRule } from './value-rule.ts'

export interface NumberingRules {
  readonly series: string
  readonly from: number
  readonly to: number
  readonly prefix: string
  /** Minimum number of digits; shorter numbers are padded with leading zeros. */
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
  /** Returns what is wrong with a value, or undefined. */
  readonly checkValue: ValueRule
  /** Whether that decides about blanks too: without a pattern, clients give new values none. */
  readonly hasPattern: boolean
}

export interface RelationRules {
  readonly id: string
  readonly name: string
  readonly titles: Titles | undefined
  readonly description: Titles | undefined
  readonly group: string
  readonly attributeId: string
  readonly relatedAttributeId: string
  /** Whether several related values may hold at the same time. */
  readonly multiple: boolean
}

/** The source of a field's legal values: a value list, or the values of an attribute. */
export type LegalValuesOf = { readonly valueList: string } | { readonly attributeId: string }

export interface CustomFieldRules extends NamesSetup {
  readonly name: string
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date-time'
  readonly maxLength: number
  readonly minimum: number | undefined
  readonly maximum: number | undefined
  readonly required: boolean
  readonly legalValues: LegalValuesOf | undefined
}

interface CustomFieldGroupRules extends NamesSetup {
  readonly name: string
  readonly fields: readonly CustomFieldRules[]
}

interface CustomerRules {
  /** The attribute whose values are the customers. */
  readonly attributeId: string
  readonly generalContactPointType: string
  readonly numbering: NumberingRules | undefined
  readonly mandatoryRelations: readonly string[]
  /** A field that is not listed accepts any value. */
  readonly legalValues: Readonly<Record<string, LegalValuesOf>>
  readonly customFieldGroups: readonly CustomFieldGroupRules[]
}

export interface DocumentIndexRules {
  readonly sequenceNo: number
  readonly name: string
  /** Index values must be open values of this attribute. */
  readonly attributeId: string | undefined
  readonly maxLength: number
  readonly required: boolean
}

export interface DocumentTypeRules {
  readonly id: string
  readonly description: string
  /** If set, a document without an expiry date gets one. */
  readonly retentionMonths: number | undefined
  /** In the order of their sequence numbers. */
  readonly indexes: readonly DocumentIndexRules[]
}

/** Records of the setup that show the relations of the values that they are. */
export interface RelationOwner {
  readonly attributeId: string
  readonly table: string
  readonly keyColumn: string
}

/** The first and the last period of an open range are legal everywhere (decision 0). */
const OPEN_PERIODS = new Set([0, OPEN_PERIOD_TO])
const PERIODS_PER_YEAR = 12
const MONTHS = 12
const DEFAULT_LANGUAGE = 'EN'
const FIRST_PERIOD = 190_001
const LAST_PERIOD = 209_999

type OwnRules = Pick<
  CompanySetup,
  | 'id'
  | 'name'
  | 'periods'
  | 'language'
  | 'currentAccountingPeriod'
  | 'textLengths'
  | 'quotas'
  | 'journal'
  | 'holds'
  | 'source'
>

export class CompanyRules {
  readonly id: string
  readonly name: string
  /** Default language of descriptions, when the languages that the caller accepts do not exist. */
  readonly language: string
  readonly attributes: ReadonlyMap<string, AttributeRules>
  readonly relations: ReadonlyMap<string, RelationRules>
  readonly valueLists: ValueLists
  /** The configured period; 0 means the period of the current date. */
  readonly setPeriod: number
  /** Maximum text lengths of its records. */
  readonly textLengths: TextLengths
  /** What may be kept for ever; none where absent. */
  readonly quotas: Quotas
  /** The age up to which entries of the change log keep their texts; undefined: for ever. */
  readonly journalKept: string | undefined
  /** What is neither purged nor erased. */
  readonly holds: readonly HoldSetup[]
  /** The ERP system that it is a mirror of. */
  readonly source: SourceRules | undefined
  readonly #periods: NonNullable<CompanySetup['periods']>
  /** Undefined where the company has no customers. */
  readonly customers: CustomerRules | undefined
  readonly documentTypes: ReadonlyMap<string, DocumentTypeRules>
  readonly relationOwners: readonly RelationOwner[]
  readonly #byName: ReadonlyMap<string, AttributeRules>
  readonly #links: ReadonlyMap<string, RelationRules>

  constructor(
    company: OwnRules,
    attributes: readonly AttributeSetup[],
    relations: readonly RelationSetup[],
    customers: CustomersSetup | undefined,
    valueLists: Readonly<Record<string, ValueListSetup>> = {},
    documentTypes: readonly DocumentTypeSetup[] = [],
    relationOwners: readonly RelationOwner[] = [],
  ) {
    this.relationOwners = relationOwners
    this.id = company.id
    this.name = company.name
    this.language = (company.language ?? DEFAULT_LANGUAGE).toUpperCase()
    this.textLengths = new TextLengths(company.textLengths)
    this.quotas = quotasOf(company.quotas)
    this.journalKept = company.journal?.keep
    this.holds = company.holds ?? []
    this.source = company.source && sourceRules(company.source, company.id)
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

  get hasSource(): boolean {
    return this.source !== undefined
  }

  /** The current accounting period: the configured one, or else that of the date. */
  currentPeriod(today: Date): number {
    return this.setPeriod || today.getUTCFullYear() * 100 + today.getUTCMonth() + 1
  }

  get generalContactPointType(): string {
    return this.customers?.generalContactPointType ?? GENERAL_CONTACT_POINT_TYPE
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

  /** The relations that every value of the attribute must have. Only the attribute of customers has any. */
  mandatoryRelationsOf(attributeId: string): readonly RelationRules[] {
    if (this.customers?.attributeId !== attributeId) return []
    return this.customers.mandatoryRelations.flatMap((id) => this.relations.get(id) ?? [])
  }

  /** Whether a period is in a configured range or, where none is configured, one of the twelve of a year. */
  isLegalPeriod(period: number): boolean {
    if (OPEN_PERIODS.has(period)) return true
    if (this.#periods.length === 0) return isInRange(period, FIRST_PERIOD, LAST_PERIOD, PERIODS_PER_YEAR)
    return this.#periods.some(({ from, to, perYear = PERIODS_PER_YEAR }) => isInRange(period, from, to, perYear))
  }

  /** Whether the year of a period has that period, legal for new records or not. */
  hasPeriod(period: number): boolean {
    return isInRange(period, FIRST_PERIOD, LAST_PERIOD, this.#periodsOf(Math.floor(period / 100)))
  }

  /**
   * The period of an instant in the stored form: of its month, or of its months where a year has fewer periods; a 13th
   * period only closes the year. Undefined where months do not tell it, such as with 52 periods a year.
   */
  periodOf(instant: string): number | undefined {
    const [year, month] = [Number(instant.slice(0, 4)), Number(instant.slice(5, 7))]
    const perYear = this.#periodsOf(year)
    if (perYear === MONTHS + 1) return year * 100 + month
    return MONTHS % perYear === 0 ? year * 100 + Math.ceil((month * perYear) / MONTHS) : undefined
  }

  #periodsOf(year: number): number {
    const range = this.#periods.find(({ from, to }) => year >= Math.floor(from / 100) && year <= Math.floor(to / 100))
    return range?.perYear ?? PERIODS_PER_YEAR
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
    hasPattern: attribute.values?.pattern !== undefined,
  }
}

export function numberingRules({ series, from, to, prefix = '', width = 0 }: NumberingSetup): NumberingRules {
  return { series, from, to, prefix, width }
}

function relationRules({
  id,
  name,
  title,
  description,
  group = '',
  attributeId,
  relatedAttributeId,
  multiple = false,
}: RelationSetup): RelationRules {
  return { id, name, titles: title, description, group, attributeId, relatedAttributeId, multiple }
}

/** Default maximum length of an index value. */
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
      Object.entries(customers.legalValues ?? {}).map(([field, legal]) => [field, legalValuesOf(legal ?? {})]),
    ),
    customFieldGroups: (customers.customFieldGroups ?? []).map(({ fields, ...group }) => ({
      ...group,
      fields: fields.map(
        ({ maxLength = CUSTOM_TEXT_LENGTH, required = false, minimum, maximum, legalValues, ...field }) => ({
          ...field,
          maxLength,
          minimum,
          maximum,
          required,
          legalValues: legalValues && legalValuesOf(legalValues),
        }),
      ),
    })),
  }
}

/** The setup has been checked, so exactly one of the two is present. */
export function legalValuesOf({
  valueList,
  attributeId = '',
}: {
  valueList?: string
  attributeId?: string
}): LegalValuesOf {
  return valueList === undefined ? { attributeId } : { valueList }
}
