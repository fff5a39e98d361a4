// The Enterprise Document of customers. The setup of a company defines the descriptions of codes and the custom fields.
import type { Caller } from '../../access/caller.ts'
import { AMOUNT_SCALE } from '../../model/amounts.ts'
import {
  type Codes,
  type DocumentDefinition,
  group,
  lastUpdated,
  type Properties,
  type Source,
  type TableIndex,
  type ValueType,
  value,
} from '../../model/document.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { recordAccess } from '../shared/access/record-access.ts'
import { contactPoints, relatedValuesOn } from '../shared/master-data/lists.ts'
import { FIELD_LENGTHS } from './field-lengths.ts'

type Legal = NonNullable<CompanyRules['customers']>['legalValues']

const bounded = (column: string, field: keyof typeof FIELD_LENGTHS) =>
  value('string', column, { maxLength: FIELD_LENGTHS[field] })

const flag = (column: string) => value('boolean', { column, storedAs: 'flag' } as const)

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

/** Stands for the codes of a field that each company's setup defines. */
const NAMED_BY_SETUP: Codes = { attributeId: '' }

/** The definition for a company, or without one the part that all companies have in common. */
export function customerDocument(company: CompanyRules | undefined) {
  const customers = company?.customers
  const legal: Legal = customers?.legalValues ?? {}
  const coded = (column: string, field: keyof Legal) => {
    const codes = company ? legal[field] : NAMED_BY_SETUP
    return value('string', column, { maxLength: FIELD_LENGTHS[field], ...(codes ? { codes } : {}) })
  }
  return {
    name: 'customers',
    version: 1,
    description: 'A customer of a company.',
    table: 'customer',
    companyColumn: 'company_id',
    joins: {},
    key: ['companyId', 'customerId'],
    indexes: INDEXES,
    relationsOf: { attributeId: customers?.attributeId ?? '' },
    properties: {
      aliasName: bounded('alias_name', 'aliasName'),
      companyId: bounded('company_id', 'companyId'),
      companyRegistrationNumber: bounded('company_registration_number', 'companyRegistrationNumber'),
      countryCode: coded('country_code', 'countryCode'),
      customerGroupId: coded('customer_group_id', 'customerGroupId'),
      customerId: bounded('customer_id', 'customerId'),
      customerName: bounded('customer_name', 'customerName'),
      externalReference: bounded('external_reference', 'externalReference'),
      invoice: group({
        calculatePayDiscountOnTax: flag('calculate_pay_discount_on_tax'),
        checkCreditOnHeadOffice: flag('check_credit_on_head_office'),
        creditLimit: value('decimal', 'credit_limit', { scale: AMOUNT_SCALE }),
        currencyCode: coded('currency_code', 'currencyCode'),
        hasFixedCurrency: flag('has_fixed_currency'),
        hasFixedPaymentTerms: flag('has_fixed_payment_terms'),
        hasFixedTaxSystem: flag('has_fixed_tax_system'),
        languageCode: coded('language_code', 'languageCode'),
        paymentTermsId: coded('payment_terms_id', 'paymentTermsId'),
      }),
      lastUpdated,
      payment: group({
        bankAccount: bounded('bank_account', 'bankAccount'),
        debtCollectionCode: coded('debt_collection_code', 'debtCollectionCode'),
        expiryDate: value('date-time', 'expiry_date'),
        payMethod: coded('pay_method', 'payMethod'),
        postalAccount: bounded('postal_account', 'postalAccount'),
        status: value('string', 'status', { codes: { valueList: 'STATUS' } }),
      }),
      contactPoints,
      relatedValues: relatedValuesOn([
        ['company_id', 'company_id'],
        ['attribute_id', 'attribute_id'],
        ['customer_id', 'attribute_value'],
      ]),
      customFieldGroups: group(customFields(customers), { isOnRequest: true }),
    },
  } satisfies DocumentDefinition
}

/** The properties of the custom fields by group; their values are members of a JSON column. */
function customFields(customers: CompanyRules['customers']): Properties {
  const groups = (customers?.customFieldGroups ?? []).map(({ name, fields }) => {
    const properties = fields.map((field) => {
      const source: Source = { json: 'custom_fields', path: [name, field.name] }
      const codes = field.legalValues as Codes | undefined
      return [field.name, value(field.type as ValueType, source, codes ? { codes } : {})]
    })
    return [name, group(Object.fromEntries(properties))]
  })
  return Object.fromEntries(groups)
}

const documents = new WeakMap<CompanyRules, DocumentDefinition>()

/** The caller's access to single customers for an operation. */
export function customerAccess(
  caller: Caller,
  company: CompanyRules,
  operation: 'create' | 'read' | 'update' | 'delete',
) {
  let document = documents.get(company)
  if (!document) {
    document = customerDocument(company)
    documents.set(company, document)
  }
  return recordAccess(caller, company, `customers:${operation}`, document)
}
