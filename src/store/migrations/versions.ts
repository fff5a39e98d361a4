// The version of each table, by which cached answers are validated.
import { type Kysely, sql } from 'kysely'
import type { SchemaSql } from '../dialects/schema.ts'
import { guardTenants } from './records.ts'

export async function up(db: Kysely<unknown>, { text, integer, tail, rowLevelSecurity }: SchemaSql): Promise<void> {
  await sql
    .raw(
      `create table table_version (
        company_id ${text}, table_name ${text}, version ${integer},
        primary key (company_id, table_name))${tail}`,
    )
    .execute(db)
  if (rowLevelSecurity) await guardTenants(db, ['table_version'])
}
