// The setup and the master data: attributes with their values and relations, companies, value lists, the ledger and
// customers.
import type { Kysely } from 'kysely'
import { changeIndex, type SchemaSql } from '../../sql/schema.ts'
import { CHANGE_COLUMN } from '../../sql/tables.ts'
import { createTables } from './create-tables.ts'

const GUARDED = [
  'numbering',
  'attribute',
  'relation',
  'attribute_value',
  'attribute_relation',
  'company',
  'value_list',
  'ledger_transaction',
  'customer',
  'import_progress',
  'import_row',
]

const ATTRIBUTE_NUMBERS = [1, 2, 3, 4, 5, 6, 7]
/** Decimal places of amounts. */
const SCALE = 4

export function up(db: Kysely<unknown>, schema: SchemaSql): Promise<void> {
  const { text, integer, number, json, instant, tail } = schema
  const amount = schema.decimal(SCALE)
  const changed = `updated_at ${instant}, updated_by ${text}`
  const tables = [
    `create table setup_item (
      company_id ${text}, kind ${text}, id ${text}, definition ${json},
      primary key (company_id, kind, id))${tail}`,
    `create table numbering (
      company_id ${text}, series ${text}, last_no ${integer},
      primary key (company_id, series))${tail}`,
    `create table attribute (
      company_id ${text}, attribute_id ${text}, name ${text}, description ${text}, maintenance ${text},
      contact_points ${integer}, auto_numbering ${integer}, owner_attribute_id ${text}, ${changed},
      primary key (company_id, attribute_id))${tail}`,
    `create table relation (
      company_id ${text}, relation_id ${text}, name ${text}, group_name ${text}, attribute_id ${text},
      related_attribute_id ${text},
      primary key (company_id, relation_id))${tail}`,
    `create table attribute_value (
      company_id ${text}, attribute_id ${text}, attribute_value ${text}, period_from ${integer}, period_to ${integer},
      description ${text}, owner ${text}, status ${text}, custom_value ${number}, contact_points ${json},
      updated_at ${text}, updated_by ${text}, change_no ${integer},
      primary key (company_id, attribute_id, attribute_value, period_from))${tail}`,
    `create table attribute_relation (
      company_id ${text}, attribute_id ${text}, attribute_value ${text}, related_attribute_id ${text},
      relation_value ${text}, relation_id ${text}, unit_value ${number}, percentage ${number},
      date_from ${text}, date_to ${text}, updated_at ${text}, updated_by ${text},
      created_no ${integer}, change_no ${integer},
      primary key (company_id, attribute_id, attribute_value, related_attribute_id, relation_value))${tail}`,
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
      amount ${amount}, currency_amount ${amount}, currency_code ${text}, debit_credit ${integer}, ${changed},
      ${CHANGE_COLUMN} ${integer}, supplier_id ${text},
      primary key (company_id, transaction_number, sequence_number))${tail}`,
    `create table customer (
      company_id ${text}, customer_id ${text}, attribute_id ${text}, customer_name ${text}, alias_name ${text},
      company_registration_number ${text}, country_code ${text}, customer_group_id ${text},
      external_reference ${text}, external_reference_json ${json.replace(`'[]'`, `'""'`)},
      calculate_pay_discount_on_tax ${integer}, check_credit_on_head_office ${integer}, credit_limit ${amount},
      currency_code ${text}, has_fixed_currency ${integer}, has_fixed_payment_terms ${integer},
      has_fixed_tax_system ${integer}, language_code ${text}, payment_terms_id ${text},
      bank_account ${text}, debt_collection_code ${text}, pay_method ${text}, postal_account ${text}, status ${text},
      expiry_date ${instant}, contact_points ${json}, custom_fields ${json.replace(`'[]'`, `'{}'`)},
      ${changed}, change_no ${integer},
      primary key (company_id, customer_id))${tail}`,
    `create table import_progress (
      company_id ${text}, document ${text}, source ${text}, line ${integer}, ${changed},
      primary key (company_id, document, source))${tail}`,
    `create table import_row (
      company_id ${text}, document ${text}, source ${text}, line ${integer},
      primary key (company_id, document, source, line))${tail}`,
  ]
  return createTables(db, schema, [...tables, ...INDEXES, ...schema.descriptionIndexes], GUARDED)
}

/** They serve "equals X, ordered by key" without a sort. docs/performance.md lists the query of each. */
const INDEXES: readonly string[] = [
  'create index attribute_name on attribute (company_id, name)',
  `create index attribute_value_owner on attribute_value (company_id, attribute_id, owner, attribute_value, period_from)
    where owner <> ''`,
  `create index attribute_value_status on attribute_value (company_id, attribute_id, status, attribute_value, period_from)
    where status <> 'N'`,
  'create index attribute_relation_related on attribute_relation (company_id, relation_value, related_attribute_id, attribute_id, attribute_value)',
  // Every query of the ledger restricts the state; then follow the most frequent conditions.
  'create index ledger_state on ledger_transaction (company_id, state, transaction_number, sequence_number, period)',
  'create index ledger_account on ledger_transaction (company_id, state, account, transaction_number, sequence_number, period)',
  'create index ledger_account_period on ledger_transaction (company_id, state, account, period, transaction_number, sequence_number)',
  'create index ledger_period on ledger_transaction (company_id, state, period, transaction_number, sequence_number)',
  `create index ledger_customer on ledger_transaction (company_id, state, customer_id, transaction_number, sequence_number, period)
    where customer_id <> ''`,
  `create index ledger_supplier on ledger_transaction (company_id, state, supplier_id, transaction_number, sequence_number, period)
    where supplier_id <> ''`,
  changeIndex('ledger_transaction', ['transaction_number', 'sequence_number']),
  'create index customer_name on customer (company_id, customer_name, customer_id)',
  'create index customer_country on customer (company_id, country_code, customer_name, customer_id)',
  'create index customer_country_key on customer (company_id, country_code, customer_id)',
  'create index customer_group on customer (company_id, customer_group_id, customer_id, country_code)',
  `create index customer_alias on customer (company_id, alias_name, customer_id) where alias_name <> ''`,
  `create index customer_registration on customer (company_id, company_registration_number, customer_id)
    where company_registration_number <> ''`,
  `create index customer_external_reference on customer (company_id, external_reference, customer_id)
    where external_reference <> ''`,
  `create index customer_status on customer (company_id, status, customer_id) where status <> 'N'`,
]
