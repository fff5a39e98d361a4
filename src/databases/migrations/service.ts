// What the service itself keeps.
import type { Kysely } from 'kysely'
import type { SchemaSql } from '../../sql/schema.ts'
import { createTables } from './create-tables.ts'

const GUARDED = [
  'kept_answer',
  'table_version',
  'subscription',
  'subscription_event',
  'subscription_attempt',
  'batch_operation',
  'batch_operation_result',
  'proposal',
]

export function up(db: Kysely<unknown>, schema: SchemaSql): Promise<void> {
  const { text, integer, tail } = schema
  const statements = [
    // Stored responses to requests with an `Idempotency-Key`.
    `create table kept_answer (
      company_id ${text}, client_id ${text}, repeat_key ${text}, fingerprint ${text}, answer ${text}, at ${text},
      primary key (company_id, client_id, repeat_key))${tail}`,
    'create index kept_answer_at on kept_answer (company_id, at)',
    // The clients' use of their rate limits.
    `create table client_usage (
      client_id ${text}, kind ${text}, window_start ${integer}, amount ${integer},
      primary key (client_id, kind, window_start))${tail}`,
    // By these cached answers are validated.
    `create table table_version (
      company_id ${text}, table_name ${text}, version ${integer},
      primary key (company_id, table_name))${tail}`,
    `create table slow_query (
      document ${text}, question ${text}, seen ${integer}, total_ms ${integer}, worst_ms ${integer}, last_seen ${text},
      primary key (document, question))${tail}`,
    `create table serving_process (
      process_id ${text}, host ${text}, pid ${integer}, setup_version ${integer}, seen_at ${integer},
      primary key (process_id))${tail}`,
    // One row: the setup that was applied last.
    `create table setup_version (id ${integer}, version ${integer}, primary key (id))${tail}`,
    `create table service_secret (name ${text}, value ${text}, primary key (name))${tail}`,
    `create table session (
      session_id ${text}, user_id ${text}, password_mark ${text}, created_at ${integer}, used_at ${integer},
      user_agent ${text}, address ${text},
      primary key (session_id))${tail}`,
    // Webhooks: events that wait for their delivery, and the attempts to deliver them.
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
    // Changes that agents have proposed.
    `create table proposal (
      company_id ${text}, proposal_id ${text}, client_id ${text}, user_id ${text}, request ${text}, expires_at ${text},
      primary key (company_id, proposal_id))${tail}`,
    'create index proposal_client on proposal (company_id, client_id)',
    'create index proposal_expires on proposal (company_id, expires_at)',
  ]
  return createTables(db, schema, statements, GUARDED)
}
