// Customers, as all companies have them. The setup of a company names legal codes and custom fields.
import Type, { type Static } from 'typebox'
import { OPEN_TO } from '../../base/dates.ts'
import { group as groupProperty, type TableIndex } from '../document.ts'
import {
  type BuiltInRecord,
  dateTime,
  decimal,
  defineRecord,
  flag,
  group,
  member,
  text,
  textOrNumber,
} from '../record-definition.ts'
import { walkFields } from '../record-fields.ts'
import { AMOUNT_SCALE, bool, number, record, text as textSchema } from '../schema.ts'
import { contactPoints } from './contact-point.ts'
import { relatedValues } from './related-value.ts'

/**
 * `customer_group` ends with the country so that conditions on it are evaluated in the index. Most customers are active
 * and have no alias, registration or reference: partial indexes without them are small.
 */
const INDEXES: readonly TableIndex[] = [
  { name: 'customer_country_key', columns: ['company_id', 'country_code', 'customer_id'] },
  { name: 'customer_country', columns: ['company_id', 'country_code', 'customer_name', 'customer_id'] },
  { name: 'customer_group', columns: ['company_id', 'customer_group_id', 'customer_id', 'country_code'] },
  { name: 'customer_name', columns: ['company_id', 'customer_name', 'customer_id'] },
  unlessEmpty('customer_alias', 'alias_name'),
  unlessEmpty('customer_registration', 'company_registration_number'),
  unlessEmpty('customer_external_reference', 'external_reference'),
  {
    name: 'customer_status',
    columns: ['company_id', 'status', 'customer_id'],
    without: { column: 'status', value: 'N' },
  },
]

function unlessEmpty(name: string, column: string): TableIndex {
  return { name, columns: ['company_id', column, 'customer_id'], without: { column, value: '' } }
}

const customFieldGroups = record(
  {},
  {
    description: 'Group -> field -> value, as the setup of the company defines them.',
    additionalProperties: record({}, { additionalProperties: Type.Union([textSchema(), number(), bool()]) }),
  },
)

/** The names of stored statuses. */
const STATUS_NAMES = { N: 'Active', P: 'Parked', C: 'Closed' }

export const Customer = defineRecord({
  title: 'Customer',
  name: 'customers',
  version: 1,
  description: 'A customer of a company.',
  table: 'customer',
  companyColumn: 'company_id',
  joins: {},
  key: ['companyId', 'customerId'],
  indexes: INDEXES,
  defaultColumns: [
    'customerId',
    'customerName',
    'companyRegistrationNumber',
    'countryCode',
    'customerGroupId',
    'invoice/paymentTermsId',
    'invoice/creditLimit',
    'payment/status',
  ],
  searched: [
    'customerId',
    'customerName',
    'aliasName',
    'companyRegistrationNumber',
    'externalReference',
    'payment/bankAccount',
    'payment/postalAccount',
  ],
  relationsOf: { attributeId: '' },
  fields: {
    companyId: text({ max: 25, isFixed: true }),
    customerId: text({
      max: 25,
      isFixed: true,
      description: 'Left out when the company numbers its customers itself; cannot be changed.',
    }),
    customerName: text({ max: 255, isRequired: true }),
    aliasName: text({ max: 255 }),
    companyRegistrationNumber: text({ max: 25 }),
    countryCode: text({ max: 25, isRequired: true, isCoded: true }),
    customerGroupId: text({ max: 25, isRequired: true, isCoded: true }),
    externalReference: textOrNumber({
      max: 100,
      jsonColumn: 'external_reference_json',
      description: 'Kept as it was sent.',
    }),
    lastUpdated: group(
      {
        updatedAt: dateTime({ isFixed: true }),
        updatedBy: text({ length: 255, isFixed: true }),
      },
      { isFixed: true, isComplex: true, description: 'Answered only.' },
    ),
    invoice: group({
      calculatePayDiscountOnTax: flag(),
      checkCreditOnHeadOffice: flag(),
      creditLimit: decimal(AMOUNT_SCALE),
      currencyCode: text({ max: 25, isCoded: true }),
      hasFixedCurrency: flag(),
      hasFixedPaymentTerms: flag(),
      hasFixedTaxSystem: flag(),
      languageCode: text({ max: 25, isCoded: true }),
      paymentTermsId: text({ max: 25, isCoded: true }),
    }),
    payment: group({
      bankAccount: text({ max: 35 }),
      debtCollectionCode: text({ max: 25, isCoded: true }),
      payMethod: text({ max: 25, isCoded: true }),
      postalAccount: text({ max: 35 }),
      status: text({
        default: 'Active',
        names: STATUS_NAMES,
        codes: { valueList: 'STATUS' },
        description: 'Active (when it is left out), Parked or Closed (N, P and C are read too).',
      }),
      expiryDate: dateTime({ default: OPEN_TO }),
    }),
    contactPoints: contactPoints('At least one of the General type.', true),
    relatedValues: relatedValues(
      [
        ['attribute_id', 'attribute_id'],
        ['customer_id', 'attribute_value'],
      ],
      "Relations of the customer as a value of the company's customer attribute.",
    ),
    customFieldGroups: {
      ...member(customFieldGroups, { patch: [{ path: '' }, { path: '/**' }] }),
      column: 'custom_fields' as const,
      isJson: true,
      property: () => groupProperty({}, { isOnRequest: true }),
    },
  },
})

export const customers: BuiltInRecord = {
  record: Customer,
  noun: 'customer',
  state: { path: ['payment', 'status'], closed: STATUS_NAMES.C },
}

export type Customer = Omit<Static<typeof Customer.schema>, 'customFieldGroups'> & {
  customFieldGroups: Record<string, Record<string, unknown>>
}

/** The paths of the fields whose legal codes a setup may name, by field. */
export const CODED_FIELDS: ReadonlyMap<string, readonly string[]> = new Map(
  [...walkFields(Customer.fields)].flatMap(([path, { isCoded }]) => (isCoded ? [[path.at(-1) ?? '', path]] : [])),
)
