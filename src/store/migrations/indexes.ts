// Indexes that serve "equals X, ordered by key" without a sort. docs/performance.md lists the query of each.
import { type Kysely, sql } from 'kysely'
import type { SchemaSql } from '../dialects/schema.ts'

const STATEMENTS: readonly string[] = [
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

export async function up(db: Kysely<unknown>, { withoutTimeout, forgetStatistics }: SchemaSql): Promise<void> {
  for (const statement of [...withoutTimeout, ...STATEMENTS, ...forgetStatistics]) {
    await sql.raw(statement).execute(db)
  }
}

/** Long descriptions: an index of complete texts may not hold them. */
export async function longTexts(db: Kysely<unknown>, { longTexts }: SchemaSql): Promise<void> {
  for (const statement of longTexts) await sql.raw(statement).execute(db)
}
