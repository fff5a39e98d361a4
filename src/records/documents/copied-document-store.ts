// The SQL of documents that are copies of another system's. The file of a revision whose content is not here has no
// hash.
import { sql } from 'kysely'
import { folded } from '../../model/word-parts.ts'
import { asInteger, placeholdersFor, statement, whereEqual } from '../../sql/statement.ts'
import type { DocumentTable } from '../../sql/tables.ts'
import { addFileBytes } from '../../store/service-state/size-store.ts'
import type { ReadTx, Tx } from '../../store/store.ts'
import { putIndexes } from './document-store.ts'
import { type FoundRevision, REVISION_COLUMNS, REVISION_CONTENT } from './revision-store.ts'

export const NO_FILE = ''

type DocumentKey = { companyId: string; documentId: string }

const COLUMNS = [
  'doc_type',
  'title',
  'description',
  'status',
  'is_deleted',
  'expiry_date',
  'checkout_user_id',
  'revision_no',
  'file_name',
  'mime_type',
  'doc_size',
  'file_hash',
  'updated_at',
  'updated_by',
] as const satisfies readonly (keyof DocumentTable)[]

export type CopiedRow = Pick<DocumentTable, (typeof COLUMNS)[number]>

export interface CopiedDocument {
  readonly row: CopiedRow
  readonly indexes: readonly { readonly sequenceNo: number; readonly indexValue: string }[]
}

const find = statement<DocumentKey, CopiedRow>('find_copied_document', (db, p) =>
  db
    .selectFrom('document')
    .select([...COLUMNS])
    .$call(whereEqual(p, 'companyId', 'documentId')),
)

const listIndexes = statement<DocumentKey, { sequence_no: number; index_value: string }>(
  'list_document_indexes',
  (db, p) =>
    db
      .selectFrom('document_index')
      .select(['sequence_no', 'index_value'])
      .$call(whereEqual(p, 'companyId', 'documentId'))
      .orderBy('place'),
)

export async function findCopied(tx: ReadTx, documentId: string): Promise<CopiedDocument | undefined> {
  const key = { companyId: tx.companyId, documentId }
  const row = await tx.first(find, key)
  if (!row) return undefined
  const indexes = await tx.all(listIndexes, key)
  return {
    // A plain object, which rows of SQLite are not.
    row: { ...row },
    indexes: indexes.map(({ sequence_no, index_value }) => ({ sequenceNo: sequence_no, indexValue: index_value })),
  }
}

const ALL_COLUMNS = ['company_id', 'document_id', ...COLUMNS, 'title_key', 'change_no'] as const

const put = statement<Record<(typeof ALL_COLUMNS)[number], string | number>>('put_copied_document', (db, p) =>
  db
    .insertInto('document')
    .values(placeholdersFor(p, ALL_COLUMNS))
    .onConflict((conflict) =>
      conflict
        .columns(['company_id', 'document_id'])
        .doUpdateSet(({ ref }) =>
          Object.fromEntries(ALL_COLUMNS.slice(2).map((column) => [column, ref(`excluded.${column}`)])),
        ),
    ),
)

const removeIndexes = statement<DocumentKey>('remove_document_indexes', (db, p) =>
  db.deleteFrom('document_index').$call(whereEqual(p, 'companyId', 'documentId')),
)

type RevisionValues = Record<(typeof REVISION_COLUMNS)[number], string | number>

const addRevision = statement<RevisionValues>('add_copied_revision', (db, p) =>
  db
    .insertInto('document_revision')
    .values(placeholdersFor(p, REVISION_COLUMNS))
    .onConflict((conflict) => conflict.doNothing()),
)

/** Earlier ones are not shown. */
const MOST_REVISIONS = 1_000

/**
 * Writes the rows of a document. Numbers of revisions have no gaps: what earlier ones were is known when their contents
 * come.
 */
export async function putCopied(tx: Tx, documentId: string, { row, indexes }: CopiedDocument): Promise<void> {
  const { companyId } = tx
  const key = { company_id: companyId, document_id: documentId }
  tx.send(put, { ...key, ...row, title_key: folded(row.title), change_no: tx.entryNo })
  tx.send(removeIndexes, { companyId, documentId })
  await putIndexes(tx, documentId, indexes)
  const { revision_no: newest, file_name, mime_type, updated_at, updated_by } = row
  const empty = { comment: '', file_name, mime_type, doc_size: 0, file_hash: NO_FILE, updated_at, updated_by }
  for (let number = Math.max(1, newest - MOST_REVISIONS); number <= newest; number += 1) {
    tx.send(addRevision, { ...key, revision_no: number, ...empty })
  }
}

const listIds = statement<{ companyId: string; after: string; most: number }, { document_id: string }>(
  'list_document_ids',
  (db, p) =>
    db
      .selectFrom('document')
      .select('document_id')
      .where('company_id', '=', p('companyId'))
      .where('document_id', '>', p('after'))
      .where('is_deleted', '=', sql.lit(0))
      .orderBy('document_id')
      .limit(asInteger(p('most'))),
)

/** Documents that are not closed, in the order of their ids. */
export async function listDocumentIds(tx: ReadTx, after: string, most: number): Promise<string[]> {
  return (await tx.all(listIds, { companyId: tx.companyId, after, most })).map(({ document_id }) => document_id)
}

const missing = statement<DocumentKey, { revision_no: number }>('list_revisions_without_file', (db, p) =>
  db
    .selectFrom('document_revision')
    .select('revision_no')
    .$call(whereEqual(p, 'companyId', 'documentId'))
    .where('file_hash', '=', sql.lit(NO_FILE))
    .orderBy('revision_no', 'desc'),
)

/** The revisions of a document whose contents are not here, the newest first. */
export async function listRevisionsWithoutFile(tx: ReadTx, documentId: string): Promise<number[]> {
  const rows = await tx.all(missing, { companyId: tx.companyId, documentId })
  return rows.map(({ revision_no }) => revision_no)
}

const waiting = statement<{ companyId: string; after: string; most: number }, { document_id: string }>(
  'list_documents_without_file',
  (db, p) =>
    db
      .selectFrom('document_revision')
      .select('document_id')
      .distinct()
      .where('company_id', '=', p('companyId'))
      .where('file_hash', '=', sql.lit(NO_FILE))
      .where('document_id', '>', p('after'))
      .orderBy('document_id')
      .limit(asInteger(p('most'))),
)

/** Documents with a revision whose content is not here, in the order of their ids. */
export async function listDocumentsWithoutFile(tx: ReadTx, after: string, most: number): Promise<string[]> {
  return (await tx.all(waiting, { companyId: tx.companyId, after, most })).map(({ document_id }) => document_id)
}

const fill = statement<RevisionValues>('fill_copied_revision', (db, p) =>
  db
    .updateTable('document_revision')
    .set(placeholdersFor(p, REVISION_CONTENT))
    .$call(whereEqual(p, 'company_id', 'document_id', 'revision_no')),
)

/** The revision has a content by now. */
export function putRevisionFile(tx: Tx, revision: FoundRevision): void {
  tx.send(fill, { company_id: tx.companyId, ...revision })
  addFileBytes(tx, revision.doc_size)
}

const fillNewest = statement<
  Record<'company_id' | 'document_id' | 'doc_size' | 'file_hash' | 'change_no', string | number>
>('fill_copied_document', (db, p) =>
  db
    .updateTable('document')
    .set(placeholdersFor(p, ['doc_size', 'file_hash', 'change_no']))
    .$call(whereEqual(p, 'company_id', 'document_id')),
)

/** The newest revision of the document has a content by now. */
export function putDocumentFile(tx: Tx, { document_id, doc_size, file_hash }: FoundRevision): void {
  tx.send(fillNewest, { company_id: tx.companyId, document_id, doc_size, file_hash, change_no: tx.entryNo })
}
