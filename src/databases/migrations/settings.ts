// What people have chosen for themselves in the console.
import type { Kysely } from 'kysely'
import type { SchemaSql } from '../../sql/schema.ts'
import { createTables } from './create-tables.ts'

export function up(db: Kysely<unknown>, schema: SchemaSql): Promise<void> {
  const { text, integer, tail } = schema
  const table = `create table person_settings (
    company_id ${text}, user_id ${text}, settings ${text}, version ${integer},
    primary key (company_id, user_id))${tail}`
  return createTables(db, schema, [table], ['person_settings'])
}
