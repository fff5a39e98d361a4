// Batch operations with what they have rejected, and the rows of imports that are written one by one.
import { type Kysely, sql } from 'kysely'
import type { SchemaSql } from '../dialects/schema.ts'
import { guardTenants } from './records.ts'

export async function up(db: Kysely<unknown>, { text, integer, tail, rowLevelSecurity }: SchemaSql): Promise<void> {
  const statements = [
    `create table batch_operation (
      company_id ${text}, operation_id ${text}, operation_no ${integer}, document ${text}, options ${text},
      client_id ${text}, user_id ${text}, request_id ${text}, file_hash ${text}, file_bytes ${integer},
      state ${text}, message ${text}, read_with ${text}, line ${integer}, written ${integer}, unchanged ${integer},
      rejected ${integer}, attempts ${integer}, created_at ${text}, started_at ${text}, updated_at ${text},
      ended_at ${text}, lease_holder ${text}, lease_until ${integer}, lease_no ${integer},
      primary key (company_id, operation_id))${tail}`,
    'create index batch_operation_order on batch_operation (company_id, operation_no)',
    "create index batch_operation_open on batch_operation (company_id, operation_no) where state in ('N', 'W')",
    'create index batch_operation_file on batch_operation (company_id, file_hash)',
    `create table batch_operation_result (
      company_id ${text}, operation_id ${text}, line ${integer}, record_key ${text}, findings ${text},
      primary key (company_id, operation_id, line))${tail}`,
    `create table import_row (
      company_id ${text}, document ${text}, source ${text}, line ${integer},
      primary key (company_id, document, source, line))${tail}`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
  if (rowLevelSecurity) await guardTenants(db, ['batch_operation', 'batch_operation_result', 'import_row'])
}
