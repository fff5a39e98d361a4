// The floors' tables: plain tables of one company with their usual keys. The indexes are declared with the queries that
// need them.

/** SQL that both SQLite and PostgreSQL accept. */
export const TABLES: readonly string[] = [
  'create table attribute (attribute_id text primary key, name text, owner_attribute_id text)',
  'create table value_list (name text, code text, title text, primary key (name, code))',
  'create table relation (relation_id text primary key, name text, group_name text, related_attribute_id text)',
  `create table attribute_value (
    attribute_id text, attribute_value text, period_from integer, period_to integer, description text, owner text,
    status text, custom_value double precision, contact_points text, updated_at text, updated_by text,
    primary key (attribute_id, attribute_value, period_from))`,
  `create table related_value (
    attribute_id text, attribute_value text, relation_id text, related_attribute_id text, related_value text,
    percentage double precision, unit_value double precision, date_from text, date_to text, updated_at text,
    updated_by text, primary key (attribute_id, attribute_value, related_attribute_id, related_value))`,
  `create table customer (
    customer_id text primary key, customer_name text, alias_name text, company_registration_number text,
    country_code text, customer_group_id text, external_reference text, credit_limit double precision,
    calculate_pay_discount_on_tax integer, check_credit_on_head_office integer, has_fixed_currency integer,
    has_fixed_payment_terms integer, has_fixed_tax_system integer, currency_code text, language_code text,
    payment_terms_id text, bank_account text, debt_collection_code text, pay_method text, postal_account text,
    expiry_date text, status text, contact_points text, updated_at text, updated_by text)`,
  `create table ledger (
    transaction_number integer, sequence_number integer, state text, status text, transaction_type text,
    transaction_date text, period integer, description text, external_reference text, customer_id text, account text,
    attribute_id_1 text, attribute_value_1 text, attribute_id_2 text, attribute_value_2 text,
    amount double precision, currency_amount double precision, currency_code text, debit_credit integer,
    updated_at text, updated_by text, primary key (transaction_number, sequence_number))`,
  `create table document (
    id text primary key, doc_type text, title text, description text, file_name text, mime_type text,
    doc_size integer, revision_no integer, status text, expiry_date text, file_hash text, updated_at text,
    updated_by text)`,
  'create table document_index (id text, sequence_no integer, index_value text, primary key (id, sequence_no))',
]
