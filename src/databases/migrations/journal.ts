// The change log: entries with compressed texts and the hashes of their chain, what they share, and the end of each
// company's chain.
import type { Kysely } from 'kysely'
import type { SchemaSql } from '../../sql/schema.ts'
import { createTables } from './create-tables.ts'

const GUARDED = ['journal_counter', 'journal_origin', 'journal_dictionary', 'journal_entry']

export function up(db: Kysely<unknown>, schema: SchemaSql): Promise<void> {
  const { text, integer, bytes, tail, longRowsTail, journalView } = schema
  const statements = [
    `create table journal_counter (
      company_id ${text}, last_entry ${integer}, head_no ${integer}, head_hash ${text}, entry_count ${integer},
      journal_bytes ${integer}, file_bytes ${integer}, purged_at ${text}, erased_at ${text}, purged_count ${integer},
      erased_count ${integer}, texts_from ${integer}, dictionary_age ${integer}, told_from ${integer},
      primary key (company_id))${tail}`,
    `create table journal_origin (
      company_id ${text}, origin_no ${integer}, entity ${text}, operation ${text}, user_id ${text}, client_id ${text},
      primary key (company_id, origin_no), unique (company_id, entity, operation, user_id, client_id))${tail}`,
    `create table journal_dictionary (
      company_id ${text}, dictionary_no ${integer}, entity ${text}, made_at ${integer}, bytes ${bytes},
      primary key (company_id, dictionary_no))${longRowsTail}`,
    'create index journal_dictionary_entity on journal_dictionary (company_id, entity, dictionary_no)',
    `create table journal_entry (
      company_id ${text}, entry_no ${integer}, origin_no ${integer}, record_key ${text}, at ${integer},
      request_id ${text}, dictionary_no ${integer}, before ${bytes}, after ${bytes}, hash ${bytes},
      primary key (company_id, entry_no))${longRowsTail}`,
    'create index journal_entry_record on journal_entry (company_id, record_key)',
    ...journalView,
  ]
  return createTables(db, schema, statements, GUARDED)
}
