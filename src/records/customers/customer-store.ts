// The SQL of customers. Only this file uses the query builder.

import { type RawBuilder, sql } from 'kysely'
import { unitsOf } from '../../base/numbers/decimal.ts'
import { AMOUNT_SCALE } from '../../model/amounts.ts'
import type { Dialect, Placeholder } from '../../store/dialects/dialect.ts'
import { placeholdersFor, statement } from '../../store/statement.ts'
import type { ReadTx, Tx } from '../../store/store.ts'
import type { CustomerTable } from '../../store/tables.ts'
import type { Reading } from '../../store/versions/table-versions.ts'
import { relatedValuesJson } from '../shared/master-data/related-values-json.ts'
import { type Customer, statusCode } from './customer.ts'

/** A record as the database returns it: two halves of the JSON, between which the custom fields are inserted. */
interface CustomerParts {
  readonly before: string
  readonly custom_fields: string
  readonly after: string
  readonly change_no: number
}

/** The record as JSON for the single GET, and the number of its last journal entry. */
export interface FoundCustomer {
  readonly body: string
  readonly change_no: number
}

const single = statement<{ companyId: string; customerId: string }, CustomerParts>(
  'find_customer',
  (_db, p, engine) => sql`
    select ${sql.raw(engine.jsonObject(membersBefore(engine)))} as before, c.custom_fields,
      ${sql.raw(engine.jsonObject(membersAfter(engine)))} as after, c.change_no
    from customer c
    where c.company_id = ${p('companyId')} and c.customer_id = ${p('customerId')}`,
)

function membersBefore(engine: Dialect): [string, string][] {
  return [
    ['aliasName', 'c.alias_name'],
    ['companyId', 'c.company_id'],
    ['companyRegistrationNumber', 'c.company_registration_number'],
    ['contactPoints', engine.jsonPart('c.contact_points')],
    ['countryCode', 'c.country_code'],
  ]
}

function membersAfter(engine: Dialect): [string, string][] {
  const flag = (column: string) => engine.jsonFlag(`c.${column}`)
  return [
    ['customerGroupId', 'c.customer_group_id'],
    ['customerId', 'c.customer_id'],
    ['customerName', 'c.customer_name'],
    ['externalReference', engine.jsonPart('c.external_reference_json')],
    [
      'invoice',
      engine.jsonObject([
        ['calculatePayDiscountOnTax', flag('calculate_pay_discount_on_tax')],
        ['checkCreditOnHeadOffice', flag('check_credit_on_head_office')],
        ['creditLimit', engine.jsonDecimal('c.credit_limit', AMOUNT_SCALE)],
        ['currencyCode', 'c.currency_code'],
        ['hasFixedCurrency', flag('has_fixed_currency')],
        ['hasFixedPaymentTerms', flag('has_fixed_payment_terms')],
        ['hasFixedTaxSystem', flag('has_fixed_tax_system')],
        ['languageCode', 'c.language_code'],
        ['paymentTermsId', 'c.payment_terms_id'],
      ]),
    ],
    [
      'lastUpdated',
      engine.jsonObject([
        ['updatedAt', 'substr(c.updated_at, 1, 23)'],
        ['updatedBy', 'c.updated_by'],
      ]),
    ],
    [
      'payment',
      engine.jsonObject([
        ['bankAccount', 'c.bank_account'],
        ['debtCollectionCode', 'c.debt_collection_code'],
        ['expiryDate', 'substr(c.expiry_date, 1, 23)'],
        ['payMethod', 'c.pay_method'],
        ['postalAccount', 'c.postal_account'],
        ['status', `case c.status when 'C' then 'Closed' when 'P' then 'Parked' else 'Active' end`],
      ]),
    ],
    [
      'relatedValues',
      relatedValuesJson(
        engine,
        'r.company_id = c.company_id and r.attribute_id = c.attribute_id and r.attribute_value = c.customer_id',
      ),
    ],
  ]
}

/** The statements of the single GET. */
export const customerReadings: readonly Reading[] = [single]

/**
 * Returns the record with this id, or undefined. `fillCustom` adds custom fields that the setup has gained since the
 * last write.
 */
export async function findCustomer(
  tx: ReadTx,
  customerId: string,
  fillCustom: (stored: string) => string,
): Promise<FoundCustomer | undefined> {
  const found = await tx.first(single, { companyId: tx.companyId, customerId })
  if (!found) return undefined
  const custom = fillCustom(found.custom_fields)
  return {
    body: `${found.before.slice(0, -1)},"customFieldGroups":${custom},${found.after.slice(1)}`,
    change_no: found.change_no,
  }
}

const COLUMNS = [
  'company_id',
  'customer_id',
  'attribute_id',
  'customer_name',
  'alias_name',
  'company_registration_number',
  'country_code',
  'customer_group_id',
  'external_reference',
  'external_reference_json',
  'calculate_pay_discount_on_tax',
  'check_credit_on_head_office',
  'credit_limit',
  'currency_code',
  'has_fixed_currency',
  'has_fixed_payment_terms',
  'has_fixed_tax_system',
  'language_code',
  'payment_terms_id',
  'bank_account',
  'debt_collection_code',
  'pay_method',
  'postal_account',
  'status',
  'expiry_date',
  'contact_points',
  'custom_fields',
  'updated_at',
  'updated_by',
  'change_no',
] as const satisfies readonly (keyof CustomerTable)[]

type CustomerColumns = Record<keyof CustomerTable, string | number>

const insert = statement<CustomerColumns>('insert_customer', (db, p, engine) =>
  db.insertInto('customer').values({ ...placeholdersFor(p, COLUMNS), credit_limit: creditLimit(p, engine) }),
)

function creditLimit(p: Placeholder<CustomerColumns>, engine: Dialect): RawBuilder<never> {
  return engine.decimal(p('credit_limit'), AMOUNT_SCALE)
}

/** Inserts a customer whose id is known to be free. `tag` is the number of the entry that becomes its last change. */
export function insertCustomer(tx: Tx, attributeId: string, draft: Customer, tag: number): void {
  tx.send(insert, columnsOf(tx, attributeId, draft, tag))
}

const present = statement<{ companyId: string; customerIds: string }, { customer_id: string }>(
  'list_present_customers',
  (_db, p, engine) => sql`
    select customer_id from customer
    where company_id = ${p('companyId')} and customer_id in (${engine.selectTexts(p('customerIds'))})`,
)

/** Returns those of the ids that belong to customers. */
export async function findPresentCustomers(tx: ReadTx, customerIds: readonly string[]): Promise<string[]> {
  const values = { companyId: tx.companyId, customerIds: JSON.stringify(customerIds) }
  return (await tx.all(present, values)).map((row) => row.customer_id)
}

const CHANGED_COLUMNS = COLUMNS.filter((column) => !['company_id', 'customer_id', 'attribute_id'].includes(column))

const update = statement<CustomerColumns>('update_customer', (db, p, engine) =>
  db
    .updateTable('customer')
    .set({ ...placeholdersFor(p, CHANGED_COLUMNS), credit_limit: creditLimit(p, engine) })
    .where('company_id', '=', p('company_id'))
    .where('customer_id', '=', p('customer_id')),
)

/** Updates every column except the key. */
export async function updateCustomer(tx: Tx, attributeId: string, draft: Customer): Promise<void> {
  tx.send(update, columnsOf(tx, attributeId, draft, tx.entryNo))
}

function columnsOf(tx: Tx, attributeId: string, draft: Customer, tag: number): CustomerColumns {
  const { invoice, payment } = draft
  return {
    company_id: tx.companyId,
    customer_id: draft.customerId,
    attribute_id: attributeId,
    customer_name: draft.customerName,
    alias_name: draft.aliasName,
    company_registration_number: draft.companyRegistrationNumber,
    country_code: draft.countryCode,
    customer_group_id: draft.customerGroupId,
    external_reference: String(draft.externalReference),
    external_reference_json: JSON.stringify(draft.externalReference),
    calculate_pay_discount_on_tax: Number(invoice.calculatePayDiscountOnTax),
    check_credit_on_head_office: Number(invoice.checkCreditOnHeadOffice),
    credit_limit: unitsOf(invoice.creditLimit, AMOUNT_SCALE) ?? 0,
    currency_code: invoice.currencyCode,
    has_fixed_currency: Number(invoice.hasFixedCurrency),
    has_fixed_payment_terms: Number(invoice.hasFixedPaymentTerms),
    has_fixed_tax_system: Number(invoice.hasFixedTaxSystem),
    language_code: invoice.languageCode,
    payment_terms_id: invoice.paymentTermsId,
    bank_account: payment.bankAccount,
    debt_collection_code: payment.debtCollectionCode,
    pay_method: payment.payMethod,
    postal_account: payment.postalAccount,
    status: statusCode(payment.status) ?? 'N',
    expiry_date: payment.expiryDate,
    contact_points: JSON.stringify(draft.contactPoints),
    custom_fields: JSON.stringify(draft.customFieldGroups),
    updated_at: tx.at,
    updated_by: tx.actor.userId,
    change_no: tag,
  }
}
