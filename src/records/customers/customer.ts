// The draft of a customer, its schema for a company, and its error messages.
import type { Static, TObject } from 'typebox'
import { entityNotFound } from '../../errors/catalogue.ts'
import type { Problem } from '../../errors/problem.ts'
import { storedText, withDefaults } from '../../model/fill-record.ts'
import { Customer, STATUS_NAMES } from '../../model/records/customer.ts'
import { bool, dateTime, type GivenOf, integer, number, record, text } from '../../model/schema.ts'
import type { CompanyRules, CustomFieldRules } from '../../setup/rules/rules.ts'
import type { KeyFilter } from '../../store/compile/compiled-query.ts'
import type { Tx } from '../../store/store.ts'
import { withRelationNames } from '../shared/master-data/related-value.ts'
import type { StoredRelation } from '../shared/master-data/relation-store.ts'

export const ENTITY = 'customer'

export type GivenCustomer = GivenOf<typeof Customer.schema> & {
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

const schemas = new WeakMap<CompanyRules, typeof Customer.schema>()

/** The schema of a company's customers, including its custom fields. */
export function schemaFor(company: CompanyRules): typeof Customer.schema {
  let schema = schemas.get(company)
  if (!schema) {
    const groups = company.customers?.customFieldGroups ?? []
    const customFieldGroups = record(
      Object.fromEntries(groups.map(({ name, fields }) => [name, customGroup(fields)])),
    ) as typeof Customer.schema.properties.customFieldGroups
    schema = record({ ...Customer.schema.properties, customFieldGroups })
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
  const draft = withDefaults(schemaFor(company), given as GivenOf<typeof Customer.schema>) as unknown as Customer
  return { ...draft, companyId: company.id, payment: { ...draft.payment, status: statusName(draft.payment.status) } }
}

/** The status name for a name or code in any letter case, Active for none; any other text is returned unchanged. */
function statusName(given: string): string {
  if (given === '') return 'Active'
  const folded = given.toLowerCase()
  const found = Object.entries(STATUS_NAMES).find((pair) => pair.some((one) => one.toLowerCase() === folded))
  return found?.[1] ?? given
}

/** The stored code of a status name; undefined for any other text. */
export function statusCode(name: string): string | undefined {
  return Object.entries(STATUS_NAMES).find(([, one]) => one === name)?.[0]
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
