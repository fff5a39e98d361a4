// Replaces a PostgreSQL index whose entries could not hold long descriptions by two indexes of a prefix: see
// `dialects/postgres/indexes/index-terms.ts`.
import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from './migrate.ts'

const STATEMENTS: readonly string[] = [
  // Indexing a large table exceeds the query timeout.
  'set local statement_timeout = 0',
  'drop index attribute_value_description',
  `create index attribute_value_description
    on attribute_value (company_id, attribute_id, (description::name), attribute_value, period_from)`,
  `create index attribute_value_description_order
    on attribute_value (company_id, attribute_id, left(description, 100), attribute_value, period_from)`,
]

export async function up(db: Kysely<unknown>, { rowLevelSecurity: isPostgres }: ColumnTypes): Promise<void> {
  if (isPostgres) for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
