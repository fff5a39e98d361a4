// Row-level security on the relations that a setup declares: answers join them like records.
import type { Kysely } from 'kysely'
import type { ColumnTypes } from './migrate.ts'
import { guardTenants } from './records.ts'

export async function up(db: Kysely<unknown>, { rowLevelSecurity }: ColumnTypes): Promise<void> {
  if (rowLevelSecurity) await guardTenants(db, ['relation'])
}
