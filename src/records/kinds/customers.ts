// Customers as a kind: what the setup of a company says of them, and where the interface words them differently.

import type { TObject } from 'typebox'
import { withoutZone } from '../../base/dates.ts'
import { memo } from '../../base/memo.ts'
import { withDefaults } from '../../model/fill-record.ts'
import { Customer, customers } from '../../model/records/customer.ts'
import { bool, dateTime, integer, number, record, text } from '../../model/schema.ts'
import type { CompanyRules, CustomFieldRules } from '../../setup/rules/rules.ts'
import { type CommonKind, codeOf, plainKind } from '../engine/plain-kind.ts'
import type { RecordKind } from '../engine/record-kind.ts'
import { checkCustomer } from './check-customer.ts'
import { customerDocument } from './customer-document.ts'

export const CUSTOMER_ENTITY = customers.noun

const COMPLETED = { name: 'customFieldGroups', column: 'custom_fields' }

/** What is the same of them in all companies. */
export const CUSTOMERS: CommonKind = {
  ...plainKind(customers),
  attributeId: '',
  completed: COMPLETED,
  freeTexts: [['customerName']],
  // Spelt differently from the property, as deployed clients know it.
  words: {
    record: customers.noun,
    keyTitles: ['Customer'],
    numberedTitle: 'CustomerID',
    source: "section 'customers'",
  },
  check: checkCustomer,
  describe: (draft) => {
    const { customerName, payment } = draft as unknown as Customer
    return { description: customerName, status: codeOf(Customer.fields, ['payment', 'status'], payment.status) }
  },
}

/** The customers of a company. One that keeps none is refused where it would need their attribute. */
export const customersOf = memo(customerKind)

function customerKind(company: CompanyRules): RecordKind {
  const schema = schemaOf(company)
  return {
    ...CUSTOMERS,
    schema,
    document: customerDocument(company),
    numbering: company.customers?.numbering,
    attributeId: company.customers?.attributeId ?? '',
    completed: { ...COMPLETED, complete: (stored) => completeCustomFields(company, schema, stored) },
  }
}

function schemaOf({ customers }: CompanyRules): typeof Customer.schema {
  const groups = customers?.customFieldGroups ?? []
  const customFieldGroups = record(
    Object.fromEntries(groups.map(({ name, fields }) => [name, customGroup(fields)])),
  ) as typeof Customer.schema.properties.customFieldGroups
  return record({ ...Customer.schema.properties, customFieldGroups })
}

const FIELD_TYPES = { string: text, integer, number, boolean: bool, 'date-time': dateTime } as const

function customGroup(fields: readonly CustomFieldRules[]): TObject {
  return record(Object.fromEntries(fields.map(({ name, type }) => [name, FIELD_TYPES[type]()])))
}

/**
 * The custom fields that the setup has now, those with no value too; their dates have no time zone, like all dates of a
 * customer.
 */
function completeCustomFields({ customers }: CompanyRules, schema: typeof Customer.schema, stored: string): string {
  const groups = customers?.customFieldGroups ?? []
  if (groups.length === 0) return '{}'
  const completed = withDefaults(
    schema.properties.customFieldGroups,
    JSON.parse(stored),
  ) as Customer['customFieldGroups']
  for (const { name, fields } of groups) {
    for (const field of fields) {
      const group = completed[name]
      if (group && field.type === 'date-time') group[field.name] = withoutZone(String(group[field.name]))
    }
  }
  return JSON.stringify(completed)
}
