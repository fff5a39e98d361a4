// The first schema: setup, journal, numbering, attributes, their values and relations.
import { type Kysely, sql } from 'kysely'
import { rowLevelSecurity } from '../../sql/row-security.ts'
import type { SchemaSql } from '../../sql/schema.ts'

const TENANT_TABLES = [
  'journal_counter',
  'journal_entry',
  'numbering',
  'attribute',
  'attribute_value',
  'attribute_relation',
]

export async function up(db: Kysely<unknown>, types: SchemaSql): Promise<void> {
  const { text, integer, number, json, tail } = types
  const statements = [
    `create table setup_item (
      company_id ${text}, kind ${text}, id ${text}, definition ${json},
      primary key (company_id, kind, id))${tail}`,
    `create table journal_counter (
      company_id ${text}, last_entry ${integer},
      primary key (company_id))${tail}`,
    `create table journal_entry (
      company_id ${text}, entry_no ${integer}, entity ${text}, record_key ${text}, operation ${text},
      user_id ${text}, client_id ${text}, at ${text}, request_id ${text}, before ${text}, after ${text},
      primary key (company_id, entry_no))${tail}`,
    'create index journal_entry_record on journal_entry (company_id, entity, record_key, entry_no)',
    `create table numbering (
      company_id ${text}, series ${text}, last_no ${integer},
      primary key (company_id, series))${tail}`,
    `create table attribute (
      company_id ${text}, attribute_id ${text}, name ${text}, description ${text}, maintenance ${text},
      contact_points ${integer}, auto_numbering ${integer}, owner_attribute_id ${text},
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
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
  if (types.rowLevelSecurity) await guardTenants(db, TENANT_TABLES)
}

export async function guardTenants(db: Kysely<unknown>, tables: readonly string[]): Promise<void> {
  for (const statement of tables.flatMap(rowLevelSecurity)) await sql.raw(statement).execute(db)
}

/** Row-level security on the relations that a setup declares: answers join them like records. */
export async function guardRelations(db: Kysely<unknown>, schema: SchemaSql): Promise<void> {
  if (schema.rowLevelSecurity) await guardTenants(db, ['relation'])
}
