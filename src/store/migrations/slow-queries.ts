// The slow queries by shape.
import { type Kysely, sql } from 'kysely'
import type { SchemaSql } from '../dialects/schema.ts'

export async function up(db: Kysely<unknown>, { text, integer, tail }: SchemaSql): Promise<void> {
  await sql
    .raw(
      `create table slow_query (
        document ${text}, question ${text}, seen ${integer}, total_ms ${integer}, worst_ms ${integer},
        last_seen ${text},
        primary key (document, question))${tail}`,
    )
    .execute(db)
}
