// How far the documents of companies that are mirrors of an ERP system have come.
import type { Kysely } from 'kysely'
import type { SchemaSql } from '../../sql/schema.ts'
import { createTables } from './create-tables.ts'

export function up(db: Kysely<unknown>, schema: SchemaSql): Promise<void> {
  const { text, integer, tail } = schema
  const statements = [
    // One row for each document, and one with an empty name, whose lease is that of the company.
    `create table mirror_document (
      company_id ${text}, document ${text}, state ${text}, lease_holder ${text}, lease_until ${integer},
      lease_no ${integer},
      primary key (company_id, document))${tail}`,
    // What could not be kept as it came.
    `create table mirror_finding (
      company_id ${text}, document ${text}, record_key ${text}, findings ${text},
      primary key (company_id, document, record_key))${tail}`,
  ]
  return createTables(db, schema, statements, ['mirror_document', 'mirror_finding'])
}
