// The clients' use of their rate limits.
import { type Kysely, sql } from 'kysely'
import type { SchemaSql } from '../dialects/schema.ts'

export async function up(db: Kysely<unknown>, { text, integer, tail }: SchemaSql): Promise<void> {
  await sql
    .raw(
      `create table client_usage (
        client_id ${text}, kind ${text}, window_start ${integer}, amount ${integer},
        primary key (client_id, kind, window_start))${tail}`,
    )
    .execute(db)
}
