// Stored responses to requests with an `Idempotency-Key`.
import { type Kysely, sql } from 'kysely'
import type { SchemaSql } from '../dialects/schema.ts'
import { guardTenants } from './records.ts'

export async function up(db: Kysely<unknown>, { text, tail, rowLevelSecurity }: SchemaSql): Promise<void> {
  const statements = [
    `create table kept_answer (
      company_id ${text}, client_id ${text}, repeat_key ${text}, fingerprint ${text}, answer ${text}, at ${text},
      primary key (company_id, client_id, repeat_key))${tail}`,
    'create index kept_answer_at on kept_answer (company_id, at)',
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
  if (rowLevelSecurity) await guardTenants(db, ['kept_answer'])
}
