// The SQL of revisions and of references to files.
import { sql } from 'kysely'
import { asInteger, excluded, placeholdersFor, statement, whereEqual } from '../../sql/statement.ts'
import type { DocumentRevisionTable } from '../../sql/tables.ts'
import { addFileBytes } from '../../store/service-state/size-store.ts'
import type { ReadTx, Tx } from '../../store/store.ts'
import type { FileColumns } from './document-store.ts'

export type FoundRevision = Omit<DocumentRevisionTable, 'company_id'>

/** Besides its key. */
export const REVISION_CONTENT = [
  'comment',
  'file_name',
  'mime_type',
  'doc_size',
  'file_hash',
  'updated_at',
  'updated_by',
] as const satisfies readonly (keyof DocumentRevisionTable)[]
const COLUMNS = ['document_id', 'revision_no', ...REVISION_CONTENT] as const
/** All of them. */
export const REVISION_COLUMNS = ['company_id', ...COLUMNS] as const

const single = statement<{ companyId: string; documentId: string; revisionNo: number }, FoundRevision>(
  'find_revision',
  (db, p) =>
    db
      .selectFrom('document_revision')
      .select([...COLUMNS])
      .$call(whereEqual(p, 'companyId', 'documentId', 'revisionNo')),
)

export function findRevision(tx: ReadTx, documentId: string, revisionNo: number): Promise<FoundRevision | undefined> {
  return tx.first(single, { companyId: tx.companyId, documentId, revisionNo })
}

const page = statement<{ companyId: string; documentId: string; above: number; most: number }, FoundRevision>(
  'list_revisions',
  (db, p) =>
    db
      .selectFrom('document_revision')
      .select([...COLUMNS])
      .$call(whereEqual(p, 'companyId', 'documentId'))
      .where('revision_no', '>', p('above'))
      .orderBy('revision_no')
      .limit(asInteger(p('most'))),
)

/** At most `most` revisions with numbers above `above`, in ascending order. Numbers have no gaps. */
export function listRevisions(tx: ReadTx, documentId: string, above: number, most: number): Promise<FoundRevision[]> {
  return tx.all(page, { companyId: tx.companyId, documentId, above, most })
}

const insert = statement<Record<keyof DocumentRevisionTable, string | number>>('insert_revision', (db, p) =>
  db.insertInto('document_revision').values(placeholdersFor(p, REVISION_COLUMNS)),
)

export interface NewRevision extends FileColumns {
  readonly document_id: string
  readonly revision_no: number
  readonly comment: string
}

export async function insertRevision(tx: Tx, revision: NewRevision): Promise<FoundRevision> {
  const row = { ...revision, updated_at: tx.at, updated_by: tx.actor.userId }
  tx.send(insert, { company_id: tx.companyId, ...row })
  addFileBytes(tx, revision.doc_size)
  return row
}

const findSwept = statement<{ companyId: string; fileHash: string; since: string }, { found: number }>(
  'find_swept_file',
  (db, p) =>
    db
      .selectFrom('swept_file')
      .select(sql.lit(1).as('found'))
      .$call(whereEqual(p, 'companyId', 'fileHash'))
      .where('swept_at', '>', p('since')),
)

/** Whether a content was swept after `since`. If it was stored again before the sweep, that copy was deleted too. */
export async function wasSweptSince(tx: ReadTx, fileHash: string, since: string): Promise<boolean> {
  return (await tx.first(findSwept, { companyId: tx.companyId, fileHash, since })) !== undefined
}

const findReference = statement<{ companyId: string; fileHash: string }, { found: number }>(
  'find_file_reference',
  (db, p) =>
    db
      .selectFrom('document_revision')
      .select(sql.lit(1).as('found'))
      .$call(whereEqual(p, 'companyId', 'fileHash'))
      .limit(sql.lit(1)),
)

const findBatchReference = statement<{ companyId: string; fileHash: string }, { found: number }>(
  'find_batch_file_reference',
  (db, p) =>
    db
      .selectFrom('batch_operation')
      .select(sql.lit(1).as('found'))
      .$call(whereEqual(p, 'companyId', 'fileHash'))
      .limit(sql.lit(1)),
)

/** By a document, or by a batch operation whose rows it has. */
export async function isReferenced(tx: ReadTx, fileHash: string): Promise<boolean> {
  const named = { companyId: tx.companyId, fileHash }
  return (
    (await tx.first(findReference, named)) !== undefined || (await tx.first(findBatchReference, named)) !== undefined
  )
}

/** A content that revisions of a company refer to. */
export interface ReferencedFile {
  readonly file_hash: string
  readonly doc_size: number
}

const files = statement<{ companyId: string; above: string; most: number }, ReferencedFile>(
  'list_referred_files',
  (db, p) =>
    db
      .selectFrom('document_revision')
      .select('file_hash')
      .select((eb) => eb.fn.max('doc_size').as('doc_size'))
      .where('company_id', '=', p('companyId'))
      .where('file_hash', '>', p('above'))
      .groupBy('file_hash')
      .orderBy('file_hash')
      .limit(asInteger(p('most'))),
)

/** At most `most` distinct contents with hashes above `above`, in ascending order. */
export function listReferencedFiles(tx: ReadTx, above: string, most: number): Promise<ReferencedFile[]> {
  return tx.all(files, { companyId: tx.companyId, above, most })
}

const markSwept = statement<{ companyId: string; fileHash: string; at: string }>('mark_swept_file', (db, p) =>
  db
    .insertInto('swept_file')
    .values({ company_id: p('companyId'), file_hash: p('fileHash'), swept_at: p('at') })
    .onConflict((conflict) => conflict.columns(['company_id', 'file_hash']).doUpdateSet(excluded(['swept_at']))),
)

/** Marks a content as swept. The mark must be committed before the content is deleted. */
export async function markSweptFile(tx: Tx, fileHash: string): Promise<void> {
  tx.send(markSwept, { companyId: tx.companyId, fileHash, at: tx.at })
}

const marks = statement<{ companyId: string }, { file_hash: string }>('list_swept_files', (db, p) =>
  db.selectFrom('swept_file').select('file_hash').where('company_id', '=', p('companyId')).orderBy('file_hash'),
)

/** The contents that are marked as swept. */
export async function listSweepMarks(tx: ReadTx): Promise<string[]> {
  return (await tx.all(marks, { companyId: tx.companyId })).map(({ file_hash }) => file_hash)
}

const deleteMarks = statement<{ companyId: string; before: string }>('forget_swept_files', (db, p) =>
  db.deleteFrom('swept_file').where('company_id', '=', p('companyId')).where('swept_at', '<', p('before')),
)

/** Deletes old marks; a mark is needed only as long as a request may take. */
export async function deleteSweepMarks(tx: Tx, before: string): Promise<void> {
  tx.send(deleteMarks, { companyId: tx.companyId, before })
}

const countFiles = statement<{ companyId: string }, { files: number }>('count_referred_files', (db, p) =>
  db
    .selectFrom('document_revision')
    .select((eb) => eb.fn.count<number>('file_hash').distinct().as('files'))
    .where('company_id', '=', p('companyId'))
    .where('file_hash', '>', sql.lit('')),
)

export async function countReferencedFiles(tx: ReadTx): Promise<number> {
  return Number((await tx.first(countFiles, { companyId: tx.companyId }))?.files ?? 0)
}

const referring = statement<
  { companyId: string; fileHash: string },
  Pick<FoundRevision, 'document_id' | 'revision_no'>
>('list_referring_revisions', (db, p) =>
  db
    .selectFrom('document_revision')
    .select(['document_id', 'revision_no'])
    .$call(whereEqual(p, 'companyId', 'fileHash'))
    .orderBy('document_id')
    .orderBy('revision_no')
    .limit(sql.lit(5)),
)

/** Returns some of the revisions with this content. */
export function listReferencingRevisions(tx: ReadTx, fileHash: string) {
  return tx.all(referring, { companyId: tx.companyId, fileHash })
}
