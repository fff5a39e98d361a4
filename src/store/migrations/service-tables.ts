// Tables of what the service itself keeps.
import { type Kysely, sql } from 'kysely'
import type { SchemaSql } from '../dialects/schema.ts'
import { guardTenants } from './records.ts'

/** Stored responses to requests with an `Idempotency-Key`. */
export async function storedResponses(db: Kysely<unknown>, { text, tail, rowLevelSecurity }: SchemaSql): Promise<void> {
  const statements = [
    `create table kept_answer (
      company_id ${text}, client_id ${text}, repeat_key ${text}, fingerprint ${text}, answer ${text}, at ${text},
      primary key (company_id, client_id, repeat_key))${tail}`,
    'create index kept_answer_at on kept_answer (company_id, at)',
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
  if (rowLevelSecurity) await guardTenants(db, ['kept_answer'])
}

/** The clients' use of their rate limits. */
export async function clientUsage(db: Kysely<unknown>, { text, integer, tail }: SchemaSql): Promise<void> {
  await sql
    .raw(
      `create table client_usage (
        client_id ${text}, kind ${text}, window_start ${integer}, amount ${integer},
        primary key (client_id, kind, window_start))${tail}`,
    )
    .execute(db)
}

/** The version of each table, by which cached answers are validated. */
export async function tableVersions(
  db: Kysely<unknown>,
  { text, integer, tail, rowLevelSecurity }: SchemaSql,
): Promise<void> {
  await sql
    .raw(
      `create table table_version (
        company_id ${text}, table_name ${text}, version ${integer},
        primary key (company_id, table_name))${tail}`,
    )
    .execute(db)
  if (rowLevelSecurity) await guardTenants(db, ['table_version'])
}

/** The slow queries by shape. */
export async function slowQueries(db: Kysely<unknown>, { text, integer, tail }: SchemaSql): Promise<void> {
  await sql
    .raw(
      `create table slow_query (
        document ${text}, question ${text}, seen ${integer}, total_ms ${integer}, worst_ms ${integer},
        last_seen ${text},
        primary key (document, question))${tail}`,
    )
    .execute(db)
}

/** The processes that serve. */
export async function servingProcesses(db: Kysely<unknown>, { text, integer, tail }: SchemaSql): Promise<void> {
  await sql
    .raw(
      `create table serving_process (
        process_id ${text}, host ${text}, pid ${integer}, setup_version ${integer}, seen_at ${integer},
        primary key (process_id))${tail}`,
    )
    .execute(db)
}

/** Secrets that all processes of the service share. */
export async function serviceSecrets(db: Kysely<unknown>, { text, tail }: SchemaSql): Promise<void> {
  await sql.raw(`create table service_secret (name ${text}, value ${text}, primary key (name))${tail}`).execute(db)
}

/** Who has signed in to the console. */
export async function sessions(db: Kysely<unknown>, { text, integer, tail }: SchemaSql): Promise<void> {
  await sql
    .raw(
      `create table session (
        session_id ${text}, user_id ${text}, password_mark ${text}, created_at ${integer}, used_at ${integer},
        user_agent ${text}, address ${text},
        primary key (session_id))${tail}`,
    )
    .execute(db)
}

/** The version of the setup that was applied last, in one row; none: every process knows it already. */
export async function setupVersion(db: Kysely<unknown>, { integer, tail }: SchemaSql): Promise<void> {
  await sql.raw(`create table setup_version (id ${integer}, version ${integer}, primary key (id))${tail}`).execute(db)
}

/** 1 where that row alone has the version: no process asks the change log for it. */
export async function setupVersionAlone(db: Kysely<unknown>, { integer }: SchemaSql): Promise<void> {
  await sql.raw(`alter table setup_version add column is_alone ${integer}`).execute(db)
}
