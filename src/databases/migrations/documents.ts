// The tables of companies, value lists, the ledger and customers, and what has changed of them.
import { type Kysely, sql } from 'kysely'
import type { SchemaSql } from '../../sql/schema.ts'
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

const QUERY_INDEXES: readonly string[] = [
  // These now have the period and the country after the key, and omit lines without a customer.
  'drop index ledger_state',
  'drop index ledger_account',
  'drop index ledger_customer',
  'drop index customer_group',
  'create index ledger_state on ledger_transaction (company_id, state, transaction_number, sequence_number, period)',
  'create index ledger_account on ledger_transaction (company_id, state, account, transaction_number, sequence_number, period)',
  'create index ledger_account_period on ledger_transaction (company_id, state, account, period, transaction_number, sequence_number)',
  `create index ledger_customer on ledger_transaction (company_id, state, customer_id, transaction_number, sequence_number, period)
    where customer_id <> ''`,
  'create index customer_group on customer (company_id, customer_group_id, customer_id, country_code)',
  'create index customer_country_key on customer (company_id, country_code, customer_id)',
  `create index customer_alias on customer (company_id, alias_name, customer_id) where alias_name <> ''`,
  `create index customer_registration on customer (company_id, company_registration_number, customer_id)
    where company_registration_number <> ''`,
  `create index customer_external_reference on customer (company_id, external_reference, customer_id)
    where external_reference <> ''`,
  `create index customer_status on customer (company_id, status, customer_id) where status <> 'N'`,
  'create index attribute_value_description on attribute_value (company_id, attribute_id, description, attribute_value, period_from)',
  `create index attribute_value_owner on attribute_value (company_id, attribute_id, owner, attribute_value, period_from)
    where owner <> ''`,
  `create index attribute_value_status on attribute_value (company_id, attribute_id, status, attribute_value, period_from)
    where status <> 'N'`,
  'create index attribute_relation_related on attribute_relation (company_id, relation_value, related_attribute_id, attribute_id, attribute_value)',
  'create index document_type_key on document (company_id, is_deleted, doc_type, document_id)',
  'create index document_type_title on document (company_id, is_deleted, doc_type, title, document_id)',
]

/** Indexes that serve "equals X, ordered by key" without a sort. docs/performance.md lists the query of each. */
export async function queryIndexes(
  db: Kysely<unknown>,
  { withoutTimeout, forgetStatistics }: SchemaSql,
): Promise<void> {
  for (const statement of [...withoutTimeout, ...QUERY_INDEXES, ...forgetStatistics]) {
    await sql.raw(statement).execute(db)
  }
}

/** Long descriptions: an index of complete texts may not hold them. */
export async function longTexts(db: Kysely<unknown>, { longTexts }: SchemaSql): Promise<void> {
  for (const statement of longTexts) await sql.raw(statement).execute(db)
}

/** The scale and bound that the documents had when this migration was written. */
const SCALE = 4
const BOUND = '100000000000000'

const AMOUNTS = [
  ['ledger_transaction', 'amount'],
  ['ledger_transaction', 'currency_amount'],
  ['customer', 'credit_limit'],
] as const

/**
 * Converts amounts to exact decimals. A double that is not a decimal of the scale is not rounded: the migration fails
 * without changes, and its message has the amount.
 */
export async function decimals(db: Kysely<unknown>, { toDecimals }: SchemaSql): Promise<void> {
  for (const [table, column] of AMOUNTS) await toDecimals(db, { table, column, scale: SCALE, bound: BOUND })
}

/** The supplier of a ledger line, beside its customer. Lines from before have none. */
export async function suppliers(db: Kysely<unknown>, { text, withoutTimeout }: SchemaSql): Promise<void> {
  const statements = [
    ...withoutTimeout,
    `alter table ledger_transaction add column supplier_id ${text}`,
    `create index ledger_supplier on ledger_transaction (company_id, state, supplier_id, transaction_number, sequence_number, period)
      where supplier_id <> ''`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
