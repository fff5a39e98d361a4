// Long descriptions: an index of complete texts may not hold them.
import { type Kysely, sql } from 'kysely'
import type { SchemaSql } from '../dialects/schema.ts'

export async function up(db: Kysely<unknown>, { longTexts }: SchemaSql): Promise<void> {
  for (const statement of longTexts) await sql.raw(statement).execute(db)
}
