// The document archive: documents, their indexes and revisions, and the full-text search data.
import type { Kysely } from 'kysely'
import type { SchemaSql } from '../../sql/schema.ts'
import { createTables } from './create-tables.ts'

const GUARDED = ['document', 'document_index', 'document_revision', 'document_text', 'swept_file']

export function up(db: Kysely<unknown>, schema: SchemaSql): Promise<void> {
  const { text, integer, instant, tail, wordIndex } = schema
  const changed = `updated_at ${instant}, updated_by ${text}`
  const file = `file_name ${text}, mime_type ${text}, doc_size ${integer}, file_hash ${text}`
  const statements = [
    `create table document (
      company_id ${text}, document_id ${text}, doc_type ${text}, title ${text}, title_key ${text}, description ${text},
      status ${text}, is_deleted ${integer}, expiry_date ${instant}, checkout_user_id ${text}, revision_no ${integer},
      ${file}, ${changed}, change_no ${integer},
      primary key (company_id, document_id))${tail}`,
    // The default order of lists, newest first, and the most frequent filters of lists.
    'create index document_newest on document (company_id, is_deleted, updated_at desc, document_id)',
    'create index document_type on document (company_id, is_deleted, doc_type, updated_at desc, document_id)',
    'create index document_title on document (company_id, is_deleted, title_key, updated_at, document_id)',
    'create index document_type_key on document (company_id, is_deleted, doc_type, document_id)',
    'create index document_type_title on document (company_id, is_deleted, doc_type, title, document_id)',
    `create table document_index (
      company_id ${text}, document_id ${text}, sequence_no ${integer}, place ${integer}, index_value ${text},
      index_key ${text},
      primary key (company_id, document_id, sequence_no))${tail}`,
    'create index document_index_key on document_index (company_id, place, index_key, document_id)',
    'create index document_index_value on document_index (company_id, sequence_no, index_value, document_id)',
    `create table document_revision (
      company_id ${text}, document_id ${text}, revision_no ${integer}, comment ${text}, ${file}, ${changed},
      primary key (company_id, document_id, revision_no))${tail}`,
    'create index document_revision_file on document_revision (company_id, file_hash)',
    `create table document_text (
      company_id ${text}, document_id ${text}, search_no ${integer}, file_words ${text}, is_waiting ${integer},
      attempts ${integer}, updated_at ${instant},
      primary key (company_id, document_id))${tail}`,
    'create index document_text_waiting on document_text (company_id, is_waiting, updated_at)',
    'create index document_text_search on document_text (search_no)',
    `create table swept_file (
      company_id ${text}, file_hash ${text}, swept_at ${instant},
      primary key (company_id, file_hash))${tail}`,
    ...wordIndex,
  ]
  return createTables(db, schema, statements, GUARDED)
}
