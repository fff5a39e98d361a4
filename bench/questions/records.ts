// Single records by their keys. Writes return the same records.
import { customerIdAt } from '../records/customers.ts'
import { projectAt } from '../records/values.ts'
import type { Members, Question } from './question.ts'

const RELATED: Members = {
  dateFrom: 'r.date_from',
  dateTo: 'r.date_to',
  percentage: 'r.percentage',
  relatedValue: 'r.related_value',
  relationGroup: 't.group_name',
  relationId: 'r.relation_id',
  relationName: 't.name',
  unitValue: 'r.unit_value',
}

const relatedOf = (attributeId: string, value: string): string =>
  `from related_value r join relation t on t.relation_id = r.relation_id
   where r.attribute_id = ${attributeId} and r.attribute_value = ${value}`

export const singleValue: Question = {
  name: 'single GET of a value',
  answer: 'record',
  ask: (random, { values }) => ({ attributeId: 'C5', value: projectAt(random.whole(values)), periodFrom: 0 }),
  service: ({ attributeId, value, periodFrom }) => `/v1/attribute-values/${attributeId}/${value}/${periodFrom}`,
  select: {
    attributeId: 'v.attribute_id',
    attributeName: 'a.name',
    attributeValue: 'v.attribute_value',
    companyId: "'EN'",
    contactPoints: ['json', 'v.contact_points'],
    customValue: 'v.custom_value',
    description: 'v.description',
    owner: 'v.owner',
    ownerAttributeId: 'a.owner_attribute_id',
    ownerAttributeName: "coalesce(o.name, '')",
    periodFrom: 'v.period_from',
    periodTo: 'v.period_to',
    relatedValues: ['list', RELATED, relatedOf('v.attribute_id', 'v.attribute_value')],
    status: 'v.status',
  },
  from: `from attribute_value v join attribute a on a.attribute_id = v.attribute_id
    left join attribute o on o.attribute_id = a.owner_attribute_id
    where v.attribute_id = :attributeId and v.attribute_value = :value and v.period_from = :periodFrom`,
}

export const singleCustomer: Question = {
  name: 'single GET of a customer',
  answer: 'record',
  ask: (random, { customers }) => ({ customerId: customerIdAt(random.whole(customers)) }),
  service: ({ customerId }) => `/v1/customers/${customerId}`,
  select: {
    aliasName: 'c.alias_name',
    companyId: "'EN'",
    companyRegistrationNumber: 'c.company_registration_number',
    contactPoints: ['json', 'c.contact_points'],
    countryCode: 'c.country_code',
    customFieldGroups: ['json', "'{}'"],
    customerGroupId: 'c.customer_group_id',
    customerId: 'c.customer_id',
    customerName: 'c.customer_name',
    externalReference: 'c.external_reference',
    invoice: {
      calculatePayDiscountOnTax: ['flag', 'c.calculate_pay_discount_on_tax'],
      checkCreditOnHeadOffice: ['flag', 'c.check_credit_on_head_office'],
      creditLimit: 'c.credit_limit',
      currencyCode: 'c.currency_code',
      hasFixedCurrency: ['flag', 'c.has_fixed_currency'],
      hasFixedPaymentTerms: ['flag', 'c.has_fixed_payment_terms'],
      hasFixedTaxSystem: ['flag', 'c.has_fixed_tax_system'],
      languageCode: 'c.language_code',
      paymentTermsId: 'c.payment_terms_id',
    },
    lastUpdated: { updatedAt: 'c.updated_at', updatedBy: 'c.updated_by' },
    payment: {
      bankAccount: 'c.bank_account',
      debtCollectionCode: 'c.debt_collection_code',
      expiryDate: 'c.expiry_date',
      payMethod: 'c.pay_method',
      postalAccount: 'c.postal_account',
      status: "case c.status when 'N' then 'Active' when 'P' then 'Parked' else 'Closed' end",
    },
    relatedValues: ['list', RELATED, relatedOf("'A4'", 'c.customer_id')],
  },
  from: 'from customer c where c.customer_id = :customerId',
}
