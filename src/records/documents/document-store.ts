// The SQL of documents and their indexes.

import { sql } from 'kysely'
import { joinedObjects } from '../../base/text.ts'
import { fieldsAround } from '../../model/record-fields.ts'
import { Document } from '../../model/records/document.ts'
import { folded } from '../../model/word-parts.ts'
import type { SqlValue } from '../../sql/dialect.ts'
import { fromRecord, placeholdersOf, recordJson } from '../../sql/record-statements.ts'
import { placeholdersFor, statement, upsertStatement, whereEqual } from '../../sql/statement.ts'
import type { DocumentIndexTable, DocumentTable } from '../../sql/tables.ts'
import type { ReadTx, Tx } from '../../store/store.ts'

/** A document as the database returns it: two halves of the JSON, between which the content is inserted. */
export interface FoundDocument {
  readonly document_id: string
  readonly before: string
  readonly after: string
  readonly doc_type: string
  readonly is_deleted: number
  readonly revision_no: number
  readonly file_name: string
  readonly mime_type: string
  readonly doc_size: number
  readonly file_hash: string
  readonly updated_at: string
  readonly updated_by: string
  readonly change_no: number
}

/** The content comes from the file store, between the fields before it and those after it. */
const [BEFORE, AFTER] = fieldsAround(Document.fields, 'fileContent')
const { docSize: _size, ...LISTED_AFTER } = AFTER

const single = statement<{ companyId: string; documentId: string }, FoundDocument>(
  'find_document',
  (_db, p, dialect) => sql`
    select m.document_id, ${recordJson(BEFORE, dialect, p('companyId'))} as before, ${recordJson(AFTER, dialect, p('companyId'))} as after,
      m.doc_type, m.is_deleted, m.revision_no, m.file_name, m.mime_type, m.doc_size, m.file_hash, m.updated_at,
      m.updated_by, m.change_no
    ${fromRecord(Document.document, p('companyId'))}
    where m.company_id = ${p('companyId')} and m.document_id = ${p('documentId')}`,
)

export function findDocument(tx: ReadTx, documentId: string): Promise<FoundDocument | undefined> {
  return tx.first(single, { companyId: tx.companyId, documentId })
}

/** An item of the list. */
export type ListedDocument = Pick<FoundDocument, 'document_id' | 'before' | 'after' | 'doc_size' | 'file_hash'>

const byIds = statement<{ companyId: string; documentIds: string }, ListedDocument>(
  'find_documents',
  (_db, p, dialect) => sql`
    select m.document_id, ${recordJson(BEFORE, dialect, p('companyId'))} as before,
      ${recordJson(LISTED_AFTER, dialect, p('companyId'))} as after, m.doc_size, m.file_hash
    ${fromRecord(Document.document, p('companyId'))}
    where m.company_id = ${p('companyId')}
      and m.document_id ${dialect.isOneOfTexts(p('documentIds'))}`,
)

/** Returns documents by their ids, in any order. */
export function findDocuments(tx: ReadTx, documentIds: readonly string[]): Promise<ListedDocument[]> {
  return tx.all(byIds, { companyId: tx.companyId, documentIds: JSON.stringify(documentIds) })
}

const insert = statement<Record<keyof DocumentTable, SqlValue>>('insert_document', (db, p, dialect) =>
  db
    .insertInto('document')
    .values(
      placeholdersOf(Document.fields, ['company_id', 'title_key', 'is_deleted', 'file_hash', 'change_no'], p, dialect),
    ),
)

/** The columns of a revision's file. */
export interface FileColumns {
  readonly file_name: string
  readonly mime_type: string
  readonly doc_size: number
  readonly file_hash: string
}

export interface NewDocument extends FileColumns {
  readonly documentId: string
  readonly docType: string
  readonly title: string
  readonly description: string
  /** The date in the stored form. */
  readonly expiryDate: string
}

export async function insertDocument(
  tx: Tx,
  { documentId, docType, expiryDate, ...given }: NewDocument,
): Promise<void> {
  tx.send(insert, {
    ...given,
    company_id: tx.companyId,
    document_id: documentId,
    doc_type: docType,
    title_key: folded(given.title),
    status: 'N',
    is_deleted: 0,
    expiry_date: expiryDate,
    checkout_user_id: '',
    revision_no: 1,
    ...stamp(tx),
  })
}

const updateTexts = statement<
  Record<'company_id' | 'document_id' | 'title' | 'title_key' | 'description' | Stamp, string | number>
>('update_document', (db, p) =>
  db
    .updateTable('document')
    .set(placeholdersFor(p, ['title', 'title_key', 'description', 'updated_at', 'updated_by', 'change_no']))
    .$call(whereEqual(p, 'company_id', 'document_id')),
)

export async function updateDocument(
  tx: Tx,
  documentId: string,
  { title, description }: { title: string; description: string },
): Promise<void> {
  const key = { company_id: tx.companyId, document_id: documentId }
  tx.send(updateTexts, { ...key, title, title_key: folded(title), description, ...stamp(tx) })
}

const FILE_COLUMNS = ['revision_no', 'file_name', 'mime_type', 'doc_size', 'file_hash'] as const

const followRevision = statement<
  Record<'company_id' | 'document_id' | (typeof FILE_COLUMNS)[number] | Stamp, string | number>
>('follow_revision', (db, p) =>
  db
    .updateTable('document')
    .set(placeholdersFor(p, [...FILE_COLUMNS, 'updated_at', 'updated_by', 'change_no']))
    .$call(whereEqual(p, 'company_id', 'document_id')),
)

/** Copies the file of the newest revision to the document (decision 4). */
export async function followNewest(tx: Tx, documentId: string, revisionNo: number, file: FileColumns): Promise<void> {
  const key = { company_id: tx.companyId, document_id: documentId }
  tx.send(followRevision, { ...key, revision_no: revisionNo, ...file, ...stamp(tx) })
}

const markDeleted = statement<Record<'company_id' | 'document_id' | 'status' | Stamp, string | number>>(
  'delete_document',
  (db, p) =>
    db
      .updateTable('document')
      .set({ is_deleted: sql.lit(1), ...placeholdersFor(p, ['status', 'updated_at', 'updated_by', 'change_no']) })
      .$call(whereEqual(p, 'company_id', 'document_id')),
)

export async function closeDocument(tx: Tx, documentId: string, status: string): Promise<void> {
  tx.send(markDeleted, { company_id: tx.companyId, document_id: documentId, status, ...stamp(tx) })
}

const putIndex = upsertStatement<DocumentIndexTable>('put_document_index', 'document_index', {
  key: ['company_id', 'document_id', 'sequence_no'],
  changed: ['place', 'index_value', 'index_key'],
})

/** Writes the value of every index, in the order of their sequence numbers. */
export async function putIndexes(
  tx: Tx,
  documentId: string,
  indexes: readonly { sequenceNo: number; indexValue: string }[],
): Promise<void> {
  for (const [position, { sequenceNo, indexValue }] of indexes.entries()) {
    tx.send(putIndex, {
      company_id: tx.companyId,
      document_id: documentId,
      sequence_no: sequenceNo,
      place: position,
      index_value: indexValue,
      index_key: folded(indexValue),
    })
  }
}

type Stamp = 'updated_at' | 'updated_by' | 'change_no'

function stamp(tx: Tx): Record<Stamp, string | number> {
  return { updated_at: tx.at, updated_by: tx.actor.userId, change_no: tx.entryNo }
}

/** A document as the journal stores it, with the hash in place of the content. */
export function journalTextOf({ before, after, file_hash }: FoundDocument): string {
  return joinedObjects(joinedObjects(before, `{"fileHash":"${file_hash}"}`), after)
}
