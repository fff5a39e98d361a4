// The policies of row-level security read the setting that names the company once. A program of before compares those
// of all tables by its own text, and would not trust a table that it declares: so it is not to start any more.
import { type Kysely, sql } from 'kysely'
import { renewedPolicy } from '../../sql/row-security.ts'
import type { SchemaSql } from '../../sql/schema.ts'

/** With those that setups have declared; first the counters, with whose policy those of all tables are compared. */
const GUARDED = sql<{ name: string }>`
  select quote_ident(c.relname) as name from pg_policy p join pg_class c on c.oid = p.polrelid
  where p.polname = 'own_company' and pg_table_is_visible(c.oid) order by c.relname <> 'journal_counter', 1`

export const commitsStatements = true

export async function up(db: Kysely<unknown>, schema: SchemaSql): Promise<void> {
  if (!schema.rowLevelSecurity) return
  const { rows } = await GUARDED.execute(db)
  for (const { name } of rows) await sql.raw(renewedPolicy(name)).execute(db)
}
