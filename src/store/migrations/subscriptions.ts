// The subscriptions of webhooks, the events that wait for their delivery, and the attempts to deliver them.
import { type Kysely, sql } from 'kysely'
import type { SchemaSql } from '../dialects/schema.ts'
import { guardTenants } from './records.ts'

const TABLES = ['subscription', 'subscription_event', 'subscription_attempt']

export async function up(db: Kysely<unknown>, { text, integer, tail, rowLevelSecurity }: SchemaSql): Promise<void> {
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
  if (rowLevelSecurity) await guardTenants(db, TABLES)
}
