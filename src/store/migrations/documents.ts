// Further tables of the object endpoints: companies, value lists, the ledger and customers.
import { type Kysely, sql } from 'kysely'
import type { SchemaSql } from '../dialects/schema.ts'
import { guardTenants } from './records.ts'

const ATTRIBUTE_NUMBERS = [1, 2, 3, 4, 5, 6, 7]

export async function up(db: Kysely<unknown>, types: SchemaSql): Promise<void> {
  const { text, integer, number, json, tail } = types
  const instant = types.text.replace(`''`, `'1900-01-01T00:00:00.000Z'`)
  const changed = `updated_at ${instant}, updated_by ${text}`
  const statements = [
    `alter table attribute add column updated_at ${instant}`,
    `alter table attribute add column updated_by ${text}`,
    'create index attribute_name on attribute (company_id, name)',
    `create table company (
      company_id ${text}, name ${text}, language ${text}, current_period ${integer}, ${changed},
      primary key (company_id))${tail}`,
    `create table value_list (
      company_id ${text}, name ${text}, language ${text}, code ${text}, number ${integer}, title ${text},
      is_fallback ${integer}, ${changed},
      primary key (company_id, name, language, code))${tail}`,
    `create table ledger_transaction (
      company_id ${text}, transaction_number ${integer}, sequence_number ${integer},
      state ${text}, status ${text}, transaction_type ${text}, transaction_date ${instant}, period ${integer},
      description ${text}, external_reference ${text}, customer_id ${text}, account ${text},
      ${ATTRIBUTE_NUMBERS.map((no) => `attribute_id_${no} ${text}, attribute_value_${no} ${text}`).join(', ')},
      amount ${number}, currency_amount ${number}, currency_code ${text}, debit_credit ${integer}, ${changed},
      primary key (company_id, transaction_number, sequence_number))${tail}`,
    // Every query of transactions restricts the state; then follow the most frequent conditions.
    'create index ledger_state on ledger_transaction (company_id, state, transaction_number, sequence_number)',
    'create index ledger_account on ledger_transaction (company_id, state, account, period, transaction_number, sequence_number)',
    'create index ledger_period on ledger_transaction (company_id, state, period, transaction_number, sequence_number)',
    'create index ledger_customer on ledger_transaction (company_id, state, customer_id, transaction_number, sequence_number)',
    `create table customer (
      company_id ${text}, customer_id ${text}, attribute_id ${text}, customer_name ${text}, alias_name ${text},
      company_registration_number ${text}, country_code ${text}, customer_group_id ${text},
      external_reference ${text}, external_reference_json ${json.replace(`'[]'`, `'""'`)},
      calculate_pay_discount_on_tax ${integer}, check_credit_on_head_office ${integer}, credit_limit ${number},
      currency_code ${text}, has_fixed_currency ${integer}, has_fixed_payment_terms ${integer},
      has_fixed_tax_system ${integer}, language_code ${text}, payment_terms_id ${text},
      bank_account ${text}, debt_collection_code ${text}, pay_method ${text}, postal_account ${text}, status ${text},
      expiry_date ${instant}, contact_points ${json}, custom_fields ${json.replace(`'[]'`, `'{}'`)},
      ${changed}, change_no ${integer},
      primary key (company_id, customer_id))${tail}`,
    'create index customer_name on customer (company_id, customer_name, customer_id)',
    'create index customer_country on customer (company_id, country_code, customer_name, customer_id)',
    'create index customer_group on customer (company_id, customer_group_id, customer_id)',
    `create table import_progress (
      company_id ${text}, document ${text}, source ${text}, line ${integer}, ${changed},
      primary key (company_id, document, source))${tail}`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
  if (types.rowLevelSecurity) {
    await guardTenants(db, ['company', 'value_list', 'ledger_transaction', 'customer', 'import_progress'])
  }
}
