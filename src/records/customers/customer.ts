// The schema of a customer, its draft, and its error messages.
import { type Static, type TObject, Type } from 'typebox'
import { OPEN_TO } from '../../base/dates.ts'
import { entityNotFound } from '../../errors/catalogue.ts'
import type { Problem } from '../../errors/problem.ts'
import { AMOUNT_SCALE } from '../../model/amounts.ts'
import { storedText, withDefaults } from '../../model/fill-record.ts'
import {
  bool,
  dateTime,
  decimal,
  type GivenOf,
  integer,
  list,
  number,
  record,
  text,
  textOrNumber,
} from '../../model/schema.ts'
import type { CompanyRules, CustomFieldRules } from '../../setup/rules/rules.ts'
import type { KeyFilter } from '../../store/compile/compiled-query.ts'
import type { Tx } from '../../store/store.ts'
import { ContactPoint } from '../shared/master-data/contact-point.ts'
import { RelatedValue, withRelationNames } from '../shared/master-data/related-value.ts'
import type { StoredRelation } from '../shared/master-data/relation-store.ts'
import { FIELD_LENGTHS } from './field-lengths.ts'

export const ENTITY = 'customer'

/** A text with its maximum length, for the API description. */
const bounded = (field: keyof typeof FIELD_LENGTHS, description?: string) =>
  text({ maxLength: FIELD_LENGTHS[field], ...(description === undefined ? {} : { description }) })

const members = {
  aliasName: bounded('aliasName'),
  companyId: bounded('companyId'),
  companyRegistrationNumber: bounded('companyRegistrationNumber'),
  contactPoints: list(ContactPoint, { description: 'At least one of the General type.' }),
  countryCode: bounded('countryCode'),
  customFieldGroups: record(
    {},
    {
      description: 'Group -> field -> value, as the setup of the company defines them.',
      additionalProperties: record({}, { additionalProperties: Type.Union([text(), number(), bool()]) }),
    },
  ),
  customerGroupId: bounded('customerGroupId'),
  customerId: bounded('customerId', 'Left out when the company numbers its customers itself; cannot be changed.'),
  customerName: bounded('customerName'),
  externalReference: textOrNumber({ maxLength: FIELD_LENGTHS.externalReference, description: 'Kept as it was sent.' }),
  invoice: record({
    calculatePayDiscountOnTax: bool(),
    checkCreditOnHeadOffice: bool(),
    creditLimit: decimal(AMOUNT_SCALE),
    currencyCode: bounded('currencyCode'),
    hasFixedCurrency: bool(),
    hasFixedPaymentTerms: bool(),
    hasFixedTaxSystem: bool(),
    languageCode: bounded('languageCode'),
    paymentTermsId: bounded('paymentTermsId'),
  }),
  lastUpdated: record({ updatedAt: dateTime(), updatedBy: text() }, { description: 'Answered only.' }),
  payment: record({
    bankAccount: bounded('bankAccount'),
    debtCollectionCode: bounded('debtCollectionCode'),
    expiryDate: dateTime({ default: OPEN_TO }),
    payMethod: bounded('payMethod'),
    postalAccount: bounded('postalAccount'),
    status: text({
      description: 'Active (when it is left out), Parked or Closed (N, P and C are read too).',
      default: 'Active',
    }),
  }),
  relatedValues: list(RelatedValue, {
    description: "Relations of the customer as a value of the company's customer attribute.",
  }),
}

/** The schema common to all companies; custom fields depend on the company. */
export const Customer = record(members, { title: 'Customer' })

export type Customer = Omit<Static<typeof Customer>, 'customFieldGroups'> & {
  customFieldGroups: Record<string, Record<string, unknown>>
}
export type GivenCustomer = GivenOf<typeof Customer> & {
  customFieldGroups?: Record<string, Record<string, unknown>>
}

/** A customer to be checked and stored. */
export interface CustomerChange {
  /** The members given by the caller or left by a patch; a member may be absent. */
  readonly given: GivenCustomer
  /** The given members completed with defaults. */
  readonly draft: Customer
  /** The existing relations of the value of a new customer. */
  readonly earlier: readonly StoredRelation[]
  /** Undefined for a new record. */
  readonly stored: Customer | undefined
}

const schemas = new WeakMap<CompanyRules, typeof Customer>()

/** The schema of a company's customers, including its custom fields. */
export function schemaFor(company: CompanyRules): typeof Customer {
  let schema = schemas.get(company)
  if (!schema) {
    const groups = company.customers?.customFieldGroups ?? []
    const customFieldGroups = record(
      Object.fromEntries(groups.map(({ name, fields }) => [name, customGroup(fields)])),
    ) as typeof members.customFieldGroups
    schema = record({ ...members, customFieldGroups })
    schemas.set(company, schema)
  }
  return schema
}

const FIELD_TYPES = { string: text, integer, number, boolean: bool, 'date-time': dateTime } as const

function customGroup(fields: readonly CustomFieldRules[]): TObject {
  return record(Object.fromEntries(fields.map(({ name, type }) => [name, FIELD_TYPES[type]()])))
}

/** The complete record that a request describes. */
export function draftOf(company: CompanyRules, given: GivenCustomer): Customer {
  const draft = withDefaults(schemaFor(company), given as GivenOf<typeof Customer>) as unknown as Customer
  return { ...draft, companyId: company.id, payment: { ...draft.payment, status: statusName(draft.payment.status) } }
}

const STATUS_NAMES: Readonly<Record<string, string>> = { '': 'Active', n: 'Active', p: 'Parked', c: 'Closed' }

/** The status name for a name or code in any letter case; any other text is returned unchanged. */
function statusName(given: string): string {
  const folded = given.toLowerCase()
  return STATUS_NAMES[folded] ?? Object.values(STATUS_NAMES).find((name) => name.toLowerCase() === folded) ?? given
}

/** The stored code of a status name; undefined for any other text. */
export function statusCode(name: string): 'N' | 'P' | 'C' | undefined {
  return { Active: 'N', Parked: 'P', Closed: 'C' }[name] as 'N' | 'P' | 'C' | undefined
}

/** The last change of a record that is written in this transaction. */
export function lastUpdatedBy({ at, actor }: Pick<Tx, 'at' | 'actor'>): Customer['lastUpdated'] {
  return { updatedAt: at, updatedBy: actor.userId }
}

/** The JSON of the record as for the single GET; undefined if only the database can produce it exactly. */
export function recordJson(
  company: CompanyRules,
  draft: Customer,
  lastUpdated: Customer['lastUpdated'],
): string | undefined {
  const relatedValues = withRelationNames(company, draft.relatedValues)
  const customer = { ...draft, lastUpdated, relatedValues }
  return storedText(schemaFor(company), customer as unknown as Static<ReturnType<typeof schemaFor>>)
}

export function customerNotFound(company: CompanyRules, customerId: string): Problem {
  return entityNotFound({ Company: company.id, Customer: customerId })
}

/** Selects the row of a customer within its company. */
export function keyFilterOf(customerId: string): KeyFilter {
  return [['customer_id', customerId]]
}
