// The second lock on the relations that a setup configures: answers join them as they join records.
import type { Kysely } from 'kysely'
import type { ColumnTypes } from './migrate.ts'
import { guardTenants } from './records.ts'

export async function up(db: Kysely<unknown>, { rowLevelSecurity }: ColumnTypes): Promise<void> {
  if (rowLevelSecurity) await guardTenants(db, ['relation'])
}
