// Row-level security on the relations that a setup declares: answers join them like records.
import type { Kysely } from 'kysely'
import type { SchemaSql } from '../dialects/schema.ts'
import { guardTenants } from './records.ts'

export async function up(db: Kysely<unknown>, { rowLevelSecurity }: SchemaSql): Promise<void> {
  if (rowLevelSecurity) await guardTenants(db, ['relation'])
}
