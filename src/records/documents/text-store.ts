// The SQL of the full-text search: the words of each document, and the files that are pending to be read.
import { sql } from 'kysely'
import { mayHoldText } from '../../files/text/text-types.ts'
import { tokenize } from '../../model/words.ts'
import { companyWord, type Placeholder } from '../../sql/dialect.ts'
import { statement, whereEqual } from '../../sql/statement.ts'
import type { DocumentTable } from '../../sql/tables.ts'
import type { ReadTx, Tx } from '../../store/store.ts'

interface StoredText {
  readonly search_no: number
  readonly file_words: string
}

type Key = { companyId: string; documentId: string }

const findText = statement<Key, StoredText>('find_document_text', (db, p) =>
  db
    .selectFrom('document_text')
    .select(['search_no', 'file_words'])
    .$call(whereEqual(p, 'companyId', 'documentId')),
)

const add = statement<Key & { at: string }>('add_document_text', (_db, p, dialect) => dialect.fullText.addDocument(p))

const update = statement<Key & { fileWords: string; isWaiting: number; at: string }>('change_document_text', (db, p) =>
  db
    .updateTable('document_text')
    .set({
      file_words: p('fileWords'),
      is_waiting: p('isWaiting'),
      attempts: sql.lit(0),
      updated_at: p('at'),
    })
    .$call(whereEqual(p, 'companyId', 'documentId')),
)

/** The searched texts other than the text of the file. */
const describe = statement<Key, { text: string }>(
  'describe_document',
  (_db, p, dialect) => sql`
    select d.title || ' ' || d.description || ' ' || ${joined(dialect.joinTexts('i.index_value'), 'document_index i', p)}
      || ' ' || ${joined(dialect.joinTexts('i.file_name'), 'document_revision i', p)} as text
    from document d
    where d.company_id = ${p('companyId')} and d.document_id = ${p('documentId')}`,
)

function joined(texts: string, table: string, p: Placeholder<Key>) {
  return sql`coalesce((select ${sql.raw(texts)} from ${sql.raw(table)}
      where i.company_id = ${p('companyId')} and i.document_id = d.document_id), '')`
}

const removeWords = statement<Key & { searchNo: number }>('forget_words', (_db, p, dialect) =>
  dialect.fullText.removeWords(p),
)

const addWords = statement<Key & { searchNo: number; words: string }>('index_words', (_db, p, dialect) =>
  dialect.fullText.addWords(p),
)

/** Indexes a new document by its description; the text of its file is added when it has been read. */
export async function indexDocument(tx: Tx, documentId: string, mimeType: string): Promise<void> {
  tx.send(add, { companyId: tx.companyId, documentId, at: tx.at })
  await indexFile(tx, documentId, mimeType)
}

/** Replaces the file of a document: the text of the previous file is no longer found. */
export async function indexFile(tx: Tx, documentId: string, mimeType: string): Promise<void> {
  const isWaiting = mayHoldText(mimeType) ? 1 : 0
  tx.send(update, { companyId: tx.companyId, documentId, fileWords: '', isWaiting, at: tx.at })
  await reindex(tx, documentId)
}

/** Updates the index after a change of the document. */
export async function reindex(tx: Tx, documentId: string): Promise<void> {
  const key = { companyId: tx.companyId, documentId }
  const stored = await tx.first(findText, key)
  const { text = '' } = (await tx.first(describe, key)) ?? {}
  if (!stored) return
  const words = [companyWord(tx.companyId), ...tokenize(text, stored.file_words)].join(' ')
  const row = { ...key, searchNo: stored.search_no }
  tx.send(removeWords, row)
  tx.send(addWords, { ...row, words })
}

/** Removes a deleted document from the index. */
export async function removeFromIndex(tx: Tx, documentId: string): Promise<void> {
  const key = { companyId: tx.companyId, documentId }
  const stored = await tx.first(findText, key)
  if (!stored) return
  tx.send(removeWords, { ...key, searchNo: stored.search_no })
  tx.send(update, { ...key, fileWords: '', isWaiting: 0, at: tx.at })
}

export type WaitingFile = Pick<DocumentTable, 'document_id' | 'revision_no' | 'mime_type' | 'file_hash' | 'doc_size'>

type Since = { companyId: string; notSince: string }

const waiting = statement<Since, WaitingFile>('find_waiting_file', (db, p) =>
  db
    .selectFrom('document_text as x')
    .innerJoin('document as d', (join) =>
      join.on('d.company_id', '=', p('companyId')).onRef('d.document_id', '=', 'x.document_id'),
    )
    .select(['d.document_id', 'd.revision_no', 'd.mime_type', 'd.file_hash', 'd.doc_size'])
    .where('x.company_id', '=', p('companyId'))
    .where('x.is_waiting', '=', sql.lit(1))
    .where((eb) => eb.or([eb('x.attempts', '=', sql.lit(0)), eb('x.updated_at', '<', p('notSince'))]))
    .orderBy('x.updated_at')
    .limit(sql.lit(1)),
)

/** The oldest pending file that was never started, or whose last attempt started before `notSince`. */
export function findWaitingFile(tx: ReadTx, notSince: string): Promise<WaitingFile | undefined> {
  return tx.first(waiting, { companyId: tx.companyId, notSince })
}

const start = statement<Key & { at: string; most: number }>('begin_reading', (db, p) =>
  db
    .updateTable('document_text')
    .set((eb) => ({ attempts: eb('attempts', '+', sql.lit(1)), updated_at: p('at') }))
    .$call(whereEqual(p, 'companyId', 'documentId'))
    .where('is_waiting', '=', sql.lit(1))
    .where('attempts', '<', p('most')),
)

/** Counts an attempt; returns false if the maximum has been reached. */
export async function startReading(tx: Tx, documentId: string, maxAttempts: number): Promise<boolean> {
  return (await tx.run(start, { companyId: tx.companyId, documentId, at: tx.at, most: maxAttempts })) > 0
}

/** Stores the words of a file. */
export async function putFileWords(tx: Tx, documentId: string, words: readonly string[]): Promise<void> {
  const fileWords = words.join(' ')
  tx.send(update, { companyId: tx.companyId, documentId, fileWords, isWaiting: 0, at: tx.at })
  await reindex(tx, documentId)
}
