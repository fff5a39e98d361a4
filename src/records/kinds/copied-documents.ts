// The archive as another system has it: documents are written with their index values first, without the rules of their
// types, and each revision gets its content when that has come.
import { isDeepStrictEqual } from 'node:util'
import { OPEN_TO } from '../../base/dates.ts'
import { typeOfName } from '../../files/content-type.ts'
import type { StagedFile } from '../../files/file-store.ts'
import { Document } from '../../model/records/document.ts'
import { record } from '../../model/schema.ts'
import { writeEntry } from '../../store/journal/journal.ts'
import type { Tx } from '../../store/store.ts'
import {
  type CopiedDocument,
  type CopiedRow,
  findCopied,
  listDocumentIds,
  NO_FILE,
  putCopied,
  putDocumentFile,
  putRevisionFile,
} from '../documents/copied-document-store.ts'
import { fileNameProblem } from '../documents/document/check-file.ts'
import { revisionMembers } from '../documents/document/revision-record.ts'
import { DELETED_STATUS, ENTITY, type GivenDocument, REVISION_ENTITY } from '../documents/document.ts'
import { removeFromLists } from '../documents/document-record.ts'
import { type FoundDocument, findDocument, journalTextOf } from '../documents/document-store.ts'
import { findRevision } from '../documents/revision-store.ts'
import { indexDocument, indexFile, reindex } from '../documents/text-store.ts'
import { keyFrom, stampOf } from '../engine/record.ts'
import type { Stamp } from '../shared/master-data/source-stamp.ts'
import type { RecordKey } from '../shared/record-type.ts'
import { type CopiedKind, type CopiedRecord, type Misfit, readRow } from './copied-records.ts'

const {
  fileContent: _content,
  notificationMessages: _messages,
  lastUpdate: _stamp,
  ...members
} = Document.schema.properties
const COPIED = record(members)
const KEY = { record: Document, keyNames: ['id'] }
const MEDIA_TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/

const idOf = ({ texts }: RecordKey): string => texts[0] ?? ''

/** It closes what is gone, as the archive does: such documents stay readable by their ids. */
export const COPIED_DOCUMENTS: CopiedKind = {
  entity: ENTITY,
  read: (row) => {
    const found = readRow(KEY, COPIED, typeof row.id === 'string' ? { ...row, id: row.id.toLowerCase() } : row)
    return found && withFileName(found)
  },
  keyFrom: (texts) => keyFrom(KEY, texts),
  has: async (tx, key) => (await findCopied(tx, idOf(key)))?.row.is_deleted === 0,
  changeNoOf: async (tx, key) => (await findDocument(tx, idOf(key)))?.change_no,
  async listKeys(tx, after, most) {
    const ids = await listDocumentIds(tx, after ? idOf(after) : '', most)
    return ids.map((id) => ({ texts: [id], stored: [id] }))
  },
  async isSame(tx, copied) {
    const here = await findCopied(tx, idOf(copied.key))
    return here !== undefined && isDeepStrictEqual(here, copyOf(copied, here.row, stampIn(here.row)))
  },
  async put(tx, copied) {
    const documentId = idOf(copied.key)
    const here = await findCopied(tx, documentId)
    const next = copyOf(copied, here?.row, here ? stampIn(here.row) : stampOf(tx))
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

/** A name that the archive gives no file is left out, as names stand in headers and in file systems. */
function withFileName(copied: CopiedRecord): CopiedRecord {
  const { fileName = '' } = copied.given as GivenDocument
  const message = fileNameProblem(fileName)
  if (message === undefined) return copied
  const misfit: Misfit = { member: 'fileName', message }
  return { ...copied, given: { ...copied.given, fileName: '' }, misfits: [...copied.misfits, misfit] }
}

/** As it is to be written over what is here: a content stays while the source has no newer revision. */
function copyOf({ given, stamp }: CopiedRecord, here: CopiedRow | undefined, otherwise: Stamp): CopiedDocument {
  const document = given as GivenDocument
  const { revisionNo = 1, docSize = 0, fileName = '', mimeType = '', status = 'N', indexes = [] } = document
  const content = here && here.file_hash !== NO_FILE && here.revision_no === revisionNo ? here : undefined
  const { updatedAt, updatedBy } = stamp ?? otherwise
  const bySequence = new Map(
    indexes.map(({ sequenceNo = 0, indexValue = '' }) => [sequenceNo, { sequenceNo, indexValue }]),
  )
  const row = {
    doc_type: document.docType ?? '',
    title: document.title ?? '',
    description: document.description ?? '',
    status,
    is_deleted: status === DELETED_STATUS ? 1 : 0,
    expiry_date: document.expiryDate ?? OPEN_TO,
    checkout_user_id: document.checkoutUserId ?? '',
    revision_no: revisionNo,
    file_name: fileName,
    mime_type: MEDIA_TYPE.test(mimeType) ? mimeType : typeOfName(fileName),
    doc_size: content?.doc_size ?? docSize,
    file_hash: content?.file_hash ?? NO_FILE,
    updated_at: updatedAt,
    updated_by: updatedBy,
  }
  return { row, indexes: [...bySequence.values()] }
}

function stampIn({ updated_at, updated_by }: Pick<CopiedRow, 'updated_at' | 'updated_by'>): Stamp {
  return { updatedAt: updated_at, updatedBy: updated_by }
}

async function write(
  tx: Tx,
  documentId: string,
  here: CopiedDocument | undefined,
  next: CopiedDocument,
): Promise<void> {
  const before = here && (await findDocument(tx, documentId))
  await putCopied(tx, documentId, next)
  // No text is read of a file that is not here.
  if (!here) await indexDocument(tx, documentId, '')
  else if (here.row.file_hash === next.row.file_hash) await reindex(tx, documentId)
  else await indexFile(tx, documentId, '')
  await writeDocumentEntry(tx, documentId, before)
}

async function writeDocumentEntry(tx: Tx, documentId: string, before: FoundDocument | undefined): Promise<void> {
  const after = await findDocument(tx, documentId)
  writeEntry(tx, {
    entity: ENTITY,
    key: [documentId],
    operation: before ? 'update' : 'create',
    before: before ? journalTextOf(before) : '',
    after: after ? journalTextOf(after) : '',
  })
}

/** A revision of another system, with its content. */
interface CopiedRevision {
  readonly comment: string
  readonly fileName: string
  /** Undefined: that of its document. */
  readonly stamp: Stamp | undefined
  readonly file: StagedFile
}

/** Gives a revision the content that the file store has by now. Nothing is done for one that has one. */
export async function fillRevision(
  tx: Tx,
  documentId: string,
  revisionNo: number,
  { comment, fileName, stamp, file }: CopiedRevision,
): Promise<void> {
  const here = await findRevision(tx, documentId, revisionNo)
  const before = await findDocument(tx, documentId)
  if (!here || !before || here.file_hash !== NO_FILE) return
  const isNamed = fileName !== '' && fileNameProblem(fileName) === undefined && fileName !== here.file_name
  const { updatedAt, updatedBy } = stamp ?? stampIn(here)
  const revision = {
    ...{ document_id: documentId, revision_no: revisionNo, comment },
    file_name: isNamed ? fileName : here.file_name,
    mime_type: isNamed ? typeOfName(fileName) : here.mime_type,
    ...{ doc_size: file.size, file_hash: file.hash, updated_at: updatedAt, updated_by: updatedBy },
  }
  putRevisionFile(tx, revision)
  const isNewest = revisionNo === before.revision_no
  if (isNewest) {
    putDocumentFile(tx, revision)
    await indexFile(tx, documentId, revision.mime_type)
    await writeDocumentEntry(tx, documentId, before)
  }
  writeEntry(isNewest ? tx.nextEntry() : tx, {
    entity: REVISION_ENTITY,
    key: [documentId, revisionNo],
    operation: 'create',
    before: '',
    after: JSON.stringify({ ...revisionMembers(revision), fileHash: file.hash }),
  })
}
