import { type Kysely, sql } from 'kysely'
import { rowLevelSecurity } from '../../sql/row-security.ts'
import type { SchemaSql } from '../../sql/schema.ts'

/** Runs the statements, and guards the tables that hold rows of companies where the database can. */
export async function createTables(
  db: Kysely<unknown>,
  schema: SchemaSql,
  statements: readonly string[],
  guarded: readonly string[],
): Promise<void> {
  const guards = schema.rowLevelSecurity ? guarded.flatMap(rowLevelSecurity) : []
  for (const statement of [...statements, ...guards]) await sql.raw(statement).execute(db)
}
