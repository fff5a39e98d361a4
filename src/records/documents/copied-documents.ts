// The archive as another system has it: documents are written with their index values first, without the rules of their
// types, and each revision gets its content when that has come. Until then the hash of its file is empty.
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { OPEN_TO } from '../../base/dates.ts'
import { typeOfName } from '../../files/content-type.ts'
import type { StagedFile } from '../../files/file-store.ts'
import { Document } from '../../model/records/document.ts'
import { record } from '../../model/schema.ts'
import { folded } from '../../model/word-parts.ts'
import { asInteger, placeholdersFor, statement } from '../../sql/statement.ts'
import type { DocumentTable } from '../../sql/tables.ts'
import { writeEntry } from '../../store/journal/journal.ts'
import { addFileBytes } from '../../store/service-state/size-store.ts'
import type { ReadTx, Tx } from '../../store/store.ts'
import { keyFrom, type Stamp, stampOf } from '../engine/record.ts'
import type { RecordKey } from '../engine/record-kind.ts'
import { type CopiedKind, type CopiedRecord, type Misfit, readRow } from '../kinds/copied-records.ts'
import { fileNameProblem } from './document/check-file.ts'
import { revisionMembers } from './document/revision-record.ts'
import { DELETED_STATUS, ENTITY, type GivenDocument, REVISION_ENTITY } from './document.ts'
import { removeFromLists } from './document-record.ts'
import { findDocument, journalTextOf, putIndexes } from './document-store.ts'
import { findRevision } from './revision-store.ts'
import { indexDocument, indexFile, reindex } from './text-store.ts'

const {
  fileContent: _content,
  notificationMessages: _messages,
  lastUpdate: _stamp,
  ...members
} = Document.schema.properties
const COPIED = record(members)
const KEY = { record: Document, keyNames: ['id'] }
/** Earlier ones are not shown. */
const MOST_REVISIONS = 1_000
const NO_FILE = ''
const MEDIA_TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/

type Key = { companyId: string; documentId: string }

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

type CopiedRow = Pick<DocumentTable, (typeof COLUMNS)[number]>

const find = statement<Key, CopiedRow>('find_copied_document', (db, p) =>
  db
    .selectFrom('document')
    .select([...COLUMNS])
    .where('company_id', '=', p('companyId'))
    .where('document_id', '=', p('documentId')),
)

const ALL_COLUMNS = ['company_id', 'document_id', ...COLUMNS, 'title_key', 'change_no'] as const

const put = statement<Record<(typeof ALL_COLUMNS)[number], string | number>>('put_copied_document', (db, p) =>
  db
    .insertInto('document')
    .values(placeholdersFor(p, ALL_COLUMNS))
    .onConflict((conflict) =>
      conflict.columns(['company_id', 'document_id']).doUpdateSet(({ ref }) => ({
        ...Object.fromEntries(
          [...COLUMNS, 'title_key' as const, 'change_no' as const].map((column) => [column, ref(`excluded.${column}`)]),
        ),
      })),
    ),
)

const indexes = statement<Key, { sequence_no: number; index_value: string }>('list_document_indexes', (db, p) =>
  db
    .selectFrom('document_index')
    .select(['sequence_no', 'index_value'])
    .where('company_id', '=', p('companyId'))
    .where('document_id', '=', p('documentId'))
    .orderBy('place'),
)

const removeIndexes = statement<Key>('remove_document_indexes', (db, p) =>
  db.deleteFrom('document_index').where('company_id', '=', p('companyId')).where('document_id', '=', p('documentId')),
)

const keys = statement<{ companyId: string; after: string; most: number }, { document_id: string }>(
  'list_document_keys',
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

interface CopiedIndex {
  readonly sequenceNo: number
  readonly indexValue: string
}

interface Stored {
  readonly row: CopiedRow
  readonly indexes: readonly CopiedIndex[]
}

async function stored(tx: ReadTx, documentId: string): Promise<Stored | undefined> {
  const key = { companyId: tx.companyId, documentId }
  const row = await tx.first(find, key)
  if (!row) return undefined
  const found = await tx.all(indexes, key)
  return {
    row,
    indexes: found.map(({ sequence_no, index_value }) => ({ sequenceNo: sequence_no, indexValue: index_value })),
  }
}

/** As it is to be written over what is here: a content stays while the source has no newer revision. */
function wanted({ given, stamp }: CopiedRecord, here: CopiedRow | undefined, none: Stamp): Stored {
  const document = given as GivenDocument
  const { revisionNo = 1, docSize = 0, fileName = '', mimeType = '' } = document
  const hasContent = here !== undefined && here.file_hash !== NO_FILE && here.revision_no === revisionNo
  const row = {
    doc_type: document.docType ?? '',
    title: document.title ?? '',
    description: document.description ?? '',
    status: document.status ?? 'N',
    is_deleted: document.status === DELETED_STATUS ? 1 : 0,
    expiry_date: document.expiryDate ?? OPEN_TO,
    checkout_user_id: document.checkoutUserId ?? '',
    revision_no: revisionNo,
    file_name: fileName,
    mime_type: MEDIA_TYPE.test(mimeType) ? mimeType : typeOfName(fileName),
    doc_size: hasContent ? here.doc_size : docSize,
    file_hash: hasContent ? here.file_hash : NO_FILE,
    updated_at: stamp?.updatedAt ?? none.updatedAt,
    updated_by: stamp?.updatedBy ?? none.updatedBy,
  }
  const bySequence = new Map(
    (document.indexes ?? []).map(({ sequenceNo = 0, indexValue = '' }) => [sequenceNo, { sequenceNo, indexValue }]),
  )
  return { row, indexes: [...bySequence.values()] }
}

/** It closes what is gone, as the archive does: such documents stay readable by their ids. */
export const COPIED_DOCUMENTS: CopiedKind = {
  name: Document.document.name,
  keys: KEY,
  read: (row) => {
    const found = readRow(KEY, COPIED, typeof row.id === 'string' ? { ...row, id: row.id.toLowerCase() } : row)
    return found && withFileName(found)
  },
  keyFrom: (texts) => keyFrom(KEY, texts),
  has: async (tx, key) => (await stored(tx, idOf(key)))?.row.is_deleted === 0,
  async listKeys(tx, after, most) {
    const found = await tx.all(keys, { companyId: tx.companyId, after: after ? idOf(after) : '', most })
    return found.map(({ document_id }) => ({ texts: [document_id], stored: [document_id] }))
  },
  async isSame(tx, copied) {
    const here = await stored(tx, idOf(copied.key))
    return here !== undefined && isDeepStrictEqual(here, wanted(copied, here.row, stampIn(here.row)))
  },
  async put(tx, copied) {
    const documentId = idOf(copied.key)
    const here = await stored(tx, documentId)
    const next = wanted(copied, here?.row, here ? stampIn(here.row) : stampOf(tx))
    if (here && isDeepStrictEqual(here, next)) return 'same'
    await write(tx, documentId, here, next)
    return here ? 'updated' : 'created'
  },
  async remove(tx, key) {
    const found = await findDocument(tx, idOf(key))
    if (!found || found.is_deleted) return false
    await removeFromLists(tx, found)
    return true
  },
}

const idOf = ({ texts }: RecordKey): string => texts[0] ?? ''

/** A name that the archive gives no file is left out, as names stand in headers and in file systems. */
function withFileName(copied: CopiedRecord): CopiedRecord {
  const { fileName = '' } = copied.given as GivenDocument
  const message = fileNameProblem(fileName)
  if (message === undefined) return copied
  const misfit: Misfit = { member: 'fileName', message }
  return { ...copied, given: { ...copied.given, fileName: '' }, misfits: [...copied.misfits, misfit] }
}

function stampIn({ updated_at, updated_by }: Pick<CopiedRow, 'updated_at' | 'updated_by'>): Stamp {
  return { updatedAt: updated_at, updatedBy: updated_by }
}

async function write(
  tx: Tx,
  documentId: string,
  here: Stored | undefined,
  { row, indexes: next }: Stored,
): Promise<void> {
  const key = { companyId: tx.companyId, documentId }
  const before = here && (await findDocument(tx, documentId))
  tx.send(put, {
    ...{ company_id: tx.companyId, document_id: documentId, ...row },
    ...{ title_key: folded(row.title), change_no: tx.entryNo },
  })
  if (!isDeepStrictEqual(here?.indexes ?? [], next)) {
    if (here) tx.send(removeIndexes, key)
    await putIndexes(tx, documentId, next)
  }
  await addRevisions(tx, documentId, row)
  if (!here) await indexDocument(tx, documentId, NO_FILE)
  else if (here.row.file_hash === row.file_hash) await reindex(tx, documentId)
  else await indexFile(tx, documentId, NO_FILE)
  const after = await findDocument(tx, documentId)
  await writeEntry(tx, {
    entity: ENTITY,
    key: [documentId],
    operation: here ? 'update' : 'create',
    before: before ? journalTextOf(before) : '',
    after: after ? journalTextOf(after) : '',
  })
}

type RevisionRow = Parameters<typeof revisionMembers>[0]

const addRevision = statement<Record<keyof RevisionRow | 'company_id', string | number>>(
  'add_copied_revision',
  (db, p) =>
    db
      .insertInto('document_revision')
      .values(placeholdersFor(p, ['company_id', ...REVISION_COLUMNS]))
      .onConflict((conflict) => conflict.doNothing()),
)

const CONTENT_COLUMNS = [
  'comment',
  'file_name',
  'mime_type',
  'doc_size',
  'file_hash',
  'updated_at',
  'updated_by',
] as const
const REVISION_COLUMNS = ['document_id', 'revision_no', ...CONTENT_COLUMNS] as const

/** Numbers have no gaps. What earlier ones were is known when their contents come. */
async function addRevisions(tx: Tx, documentId: string, row: CopiedRow): Promise<void> {
  const { revision_no: newest, file_name, mime_type, updated_at, updated_by } = row
  for (let number = Math.max(1, newest - MOST_REVISIONS); number <= newest; number += 1) {
    tx.send(addRevision, {
      ...{ company_id: tx.companyId, document_id: documentId, revision_no: number, comment: '', file_name, mime_type },
      ...{ doc_size: 0, file_hash: NO_FILE, updated_at, updated_by },
    })
  }
}

const missing = statement<Key, { revision_no: number }>('list_revisions_without_file', (db, p) =>
  db
    .selectFrom('document_revision')
    .select('revision_no')
    .where('company_id', '=', p('companyId'))
    .where('document_id', '=', p('documentId'))
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
  const rows = await tx.all(waiting, { companyId: tx.companyId, after, most })
  return rows.map(({ document_id }) => document_id)
}

/** A revision of another system, with its content. */
export interface CopiedRevision {
  readonly comment: string
  readonly fileName: string
  /** Undefined: that of its document. */
  readonly stamp: Stamp | undefined
  readonly file: StagedFile
}

const fill = statement<Record<(typeof REVISION_COLUMNS)[number] | 'company_id', string | number>>(
  'fill_copied_revision',
  (db, p) =>
    db
      .updateTable('document_revision')
      .set(placeholdersFor(p, CONTENT_COLUMNS))
      .where('company_id', '=', p('company_id'))
      .where('document_id', '=', p('document_id'))
      .where('revision_no', '=', p('revision_no')),
)

const fillNewest = statement<
  Record<'company_id' | 'document_id' | 'doc_size' | 'file_hash' | 'change_no', string | number>
>('fill_copied_document', (db, p) =>
  db
    .updateTable('document')
    .set(placeholdersFor(p, ['doc_size', 'file_hash', 'change_no']))
    .where('company_id', '=', p('company_id'))
    .where('document_id', '=', p('document_id')),
)

/** Gives a revision the content that the file store has by now. Nothing is done for one that has one. */
export async function fillRevision(
  tx: Tx,
  documentId: string,
  revisionNo: number,
  copied: CopiedRevision,
): Promise<void> {
  const [here, before] = [await findRevision(tx, documentId, revisionNo), await findDocument(tx, documentId)]
  if (!here || !before || here.file_hash !== NO_FILE) return
  const { comment, fileName, stamp = stampIn(here), file } = copied
  const file_name = fileNameProblem(fileName) === undefined && fileName !== '' ? fileName : here.file_name
  const row = {
    ...{ document_id: documentId, revision_no: revisionNo, comment, file_name },
    mime_type: file_name === here.file_name ? here.mime_type : typeOfName(file_name),
    ...{ doc_size: file.size, file_hash: file.hash, updated_at: stamp.updatedAt, updated_by: stamp.updatedBy },
  }
  tx.send(fill, { company_id: tx.companyId, ...row })
  addFileBytes(tx, file.size)
  const entry = {
    key: [documentId, revisionNo],
    before: '',
    after: JSON.stringify({ ...revisionMembers(row), fileHash: file.hash }),
  }
  if (revisionNo !== before.revision_no) {
    await writeEntry(tx, { entity: REVISION_ENTITY, operation: 'create', ...entry })
    return
  }
  const { size: doc_size, hash: file_hash } = file
  tx.send(fillNewest, { company_id: tx.companyId, document_id: documentId, doc_size, file_hash, change_no: tx.entryNo })
  await indexFile(tx, documentId, row.mime_type)
  const after = await findDocument(tx, documentId)
  const change = { entity: ENTITY, key: [documentId], operation: 'update' } as const
  await writeEntry(tx, { ...change, before: journalTextOf(before), after: after ? journalTextOf(after) : '' })
  await writeEntry(await tx.nextEntry(), { entity: REVISION_ENTITY, operation: 'create', ...entry })
}
