// Changes that agents have proposed.
import { type Kysely, sql } from 'kysely'
import type { SchemaSql } from '../dialects/schema.ts'
import { guardTenants } from './records.ts'

export async function up(db: Kysely<unknown>, { text, tail, rowLevelSecurity }: SchemaSql): Promise<void> {
  const statements = [
    `create table proposal (
      company_id ${text}, proposal_id ${text}, client_id ${text}, user_id ${text}, request ${text}, expires_at ${text},
      primary key (company_id, proposal_id))${tail}`,
    'create index proposal_client on proposal (company_id, client_id)',
    'create index proposal_expires on proposal (company_id, expires_at)',
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
  if (rowLevelSecurity) await guardTenants(db, ['proposal'])
}
