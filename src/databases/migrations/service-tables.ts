// Tables of what the service itself keeps.
import { type Kysely, sql } from 'kysely'
import type { SchemaSql } from '../../sql/schema.ts'
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

const SUBSCRIPTION_TABLES = ['subscription', 'subscription_event', 'subscription_attempt']

/** The subscriptions of webhooks, the events that wait for their delivery, and the attempts to deliver them. */
export async function subscriptions(
  db: Kysely<unknown>,
  { text, integer, tail, rowLevelSecurity }: SchemaSql,
): Promise<void> {
  const statements = [
    `create table subscription (
      company_id ${text}, subscription_id ${text}, definition ${text}, client_id ${text}, user_id ${text},
      is_setup ${integer}, state ${text}, reason ${text}, secrets ${text}, position_no ${integer},
      position_part ${integer}, failing_since ${text}, lease_holder ${text}, lease_until ${integer},
      lease_no ${integer}, attempt_count ${integer}, created_at ${text}, updated_at ${text}, updated_by ${text},
      change_no ${integer},
      primary key (company_id, subscription_id))${tail}`,
    `create table subscription_event (
      company_id ${text}, subscription_id ${text}, entry_no ${integer}, part ${integer}, entity ${text},
      record_key ${text}, state ${text}, attempts ${integer}, next_at ${integer}, last_status ${integer},
      last_error ${text}, first_at ${text},
      primary key (company_id, subscription_id, entry_no, part))${tail}`,
    `create index subscription_event_due
      on subscription_event (company_id, subscription_id, state, next_at, entry_no, part)`,
    `create index subscription_event_record
      on subscription_event (company_id, subscription_id, record_key, entity, entry_no, part)`,
    `create table subscription_attempt (
      company_id ${text}, subscription_id ${text}, attempt_no ${integer}, entry_no ${integer}, part ${integer},
      events ${integer}, at ${text}, attempt ${integer}, status ${integer}, outcome ${text}, ms ${integer},
      excerpt ${text},
      primary key (company_id, subscription_id, attempt_no))${tail}`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
  if (rowLevelSecurity) await guardTenants(db, SUBSCRIPTION_TABLES)
}

/** Batch operations with what they have rejected, and the rows of imports that are written one by one. */
export async function batchOperations(
  db: Kysely<unknown>,
  { text, integer, tail, rowLevelSecurity }: SchemaSql,
): Promise<void> {
  const statements = [
    `create table batch_operation (
      company_id ${text}, operation_id ${text}, operation_no ${integer}, document ${text}, options ${text},
      client_id ${text}, user_id ${text}, request_id ${text}, file_hash ${text}, file_bytes ${integer},
      state ${text}, message ${text}, read_with ${text}, line ${integer}, written ${integer}, unchanged ${integer},
      rejected ${integer}, attempts ${integer}, created_at ${text}, started_at ${text}, updated_at ${text},
      ended_at ${text}, lease_holder ${text}, lease_until ${integer}, lease_no ${integer},
      primary key (company_id, operation_id))${tail}`,
    'create index batch_operation_order on batch_operation (company_id, operation_no)',
    "create index batch_operation_open on batch_operation (company_id, operation_no) where state in ('N', 'W')",
    'create index batch_operation_file on batch_operation (company_id, file_hash)',
    `create table batch_operation_result (
      company_id ${text}, operation_id ${text}, line ${integer}, record_key ${text}, findings ${text},
      primary key (company_id, operation_id, line))${tail}`,
    `create table import_row (
      company_id ${text}, document ${text}, source ${text}, line ${integer},
      primary key (company_id, document, source, line))${tail}`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
  if (rowLevelSecurity) await guardTenants(db, ['batch_operation', 'batch_operation_result', 'import_row'])
}

/** Changes that agents have proposed. */
export async function proposals(db: Kysely<unknown>, { text, tail, rowLevelSecurity }: SchemaSql): Promise<void> {
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
