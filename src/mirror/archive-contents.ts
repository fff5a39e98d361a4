// The contents of documents of the archive, which come after their index values: in the background, or when they are
// first asked for.

import { Readable } from 'node:stream'
import { isObject, type JsonObject, type JsonValue, jsonOrUndefined } from '../base/strict-json.ts'
import { Problem } from '../errors/problem.ts'
import type { FileStore } from '../files/file-store.ts'
import type { Staging } from '../files/staging.ts'
import { listDocumentsWithoutFile, listRevisionsWithoutFile } from '../records/documents/copied-document-store.ts'
import { SWEPT_MS } from '../records/documents/document/store-content.ts'
import { findDocument } from '../records/documents/document-store.ts'
import { wasSweptSince } from '../records/documents/revision-store.ts'
import { fillRevision } from '../records/kinds/copied-documents.ts'
import { stampIn } from '../records/kinds/copied-records.ts'
import type { Store } from '../store/store.ts'
import { MIRROR } from './document-writer.ts'
import { MIRROR_LEASES, setFindings } from './mirror-store.ts'
import { ARCHIVE } from './mirrored-documents.ts'
import { type ErpSource, SourceFailure } from './source/source.ts'

export interface ContentParts {
  readonly store: Store
  readonly files: FileStore
  readonly staging: Staging
  readonly now: () => number
  readonly onFileAdded: (companyId: string, mimeType: string) => void
}

/** Those of a document's revisions: all, that of the document itself, or one by its number. */
export type WantedContents = 'all' | 'newest' | number

interface Asking {
  readonly isUrgent?: boolean
  readonly signal?: AbortSignal
}

/** Larger ones fit into no answer that is read. */
const MOST_BYTES = 90 * 1024 * 1024
const MOST_COMMENT = 4_000
const DOCUMENTS_AT_ONCE = 100
const LATER_MS = 60 * 60_000
const BASE64 = /^[A-Za-z0-9+/\s]*={0,2}\s*$/

/** Fetches the wanted contents that are not here. Throws `SourceFailure`. */
export async function fetchContents(
  parts: ContentParts,
  source: ErpSource,
  companyId: string,
  documentId: string,
  wanted: WantedContents,
  asking: Asking,
): Promise<void> {
  const tx = parts.store.reading(companyId)
  const missing = await listRevisionsWithoutFile(tx, documentId)
  if (missing.length === 0) return
  const number = wanted === 'newest' ? (await findDocument(tx, documentId))?.revision_no : wanted
  for (const revisionNo of missing) {
    if (wanted === 'all' || revisionNo === number)
      await fetchContent(parts, source, companyId, documentId, revisionNo, asking)
  }
}

/**
 * Returns what fetches the contents that are not here of all documents of a company, look by look. It throws what
 * concerns more than one document.
 */
export function contentsLook(parts: ContentParts, source: ErpSource, companyId: string) {
  const { store, now } = parts
  /** Documents whose contents did not come, and when they are asked for again. */
  const later = new Map<string, number>()
  const fetchAll = async (documentId: string, signal: AbortSignal): Promise<void> => {
    try {
      await fetchContents(parts, source, companyId, documentId, 'all', { signal })
      later.delete(documentId)
    } catch (error) {
      const { status = 500 } = error as Partial<SourceFailure>
      const isOfDocument = (error instanceof SourceFailure && status > 0) || (error instanceof Problem && status < 500)
      if (signal.aborted || !isOfDocument || status === 401) throw error
      later.set(documentId, now() + LATER_MS)
      const findings = [{ member: 'fileContent', message: (error as Error).message }]
      await store.writeState(companyId, MIRROR_LEASES.member, async (tx) =>
        setFindings(tx, ARCHIVE, [documentId], findings),
      )
    }
  }
  return async (signal: AbortSignal): Promise<void> => {
    for (let after = ''; ; ) {
      const documents = await listDocumentsWithoutFile(store.reading(companyId), after, DOCUMENTS_AT_ONCE)
      for (const documentId of documents) {
        signal.throwIfAborted()
        if ((later.get(documentId) ?? 0) <= now()) await fetchAll(documentId, signal)
      }
      after = documents.at(-1) ?? ''
      if (documents.length < DOCUMENTS_AT_ONCE) return
    }
  }
}

async function fetchContent(
  { store, files, staging, now, onFileAdded }: ContentParts,
  source: ErpSource,
  companyId: string,
  documentId: string,
  revisionNo: number,
  asking: Asking,
): Promise<void> {
  const { comment, fileName, content, stamp } = await readRevision(source, documentId, revisionNo, asking)
  const file = await staging.take(Readable.from([content]), MOST_BYTES)
  try {
    await files.put(companyId, file)
    await store.write(companyId, MIRROR, async (tx) => {
      const since = new Date(now() - SWEPT_MS).toISOString()
      if (await wasSweptSince(tx, file.hash, since)) throw new SourceFailure(0, 'the content was being removed')
      await fillRevision(tx, documentId, revisionNo, { comment, fileName, stamp, file })
    })
  } finally {
    await staging.discard(file)
  }
  const document = await findDocument(store.reading(companyId), documentId)
  if (document?.revision_no === revisionNo) onFileAdded(companyId, document.mime_type)
}

/** Throws `SourceFailure`. */
export async function readRevision(source: ErpSource, documentId: string, revisionNo: number, asking: Asking = {}) {
  const path = source.pathOf(`/v1/document-revisions/${encodeURIComponent(documentId)}/${revisionNo}`)
  return revisionIn((await source.read(path, asking)).text)
}

function revisionIn(text: string) {
  const body = bodyIn(text)
  const { comment, fileName, fileContent } = body
  if (typeof fileContent !== 'string' || !BASE64.test(fileContent)) throw new SourceFailure(422, 'no content in base64')
  return {
    comment: typeof comment === 'string' ? comment.replaceAll('\0', '').slice(0, MOST_COMMENT) : '',
    fileName: typeof fileName === 'string' ? fileName : '',
    content: Buffer.from(fileContent, 'base64'),
    stamp: stampIn(body.lastUpdate ?? body.lastUpdated),
  }
}

function bodyIn(text: string): JsonObject {
  // An answer that was cut off is no JSON.
  const body = jsonOrUndefined(text) as JsonValue | undefined
  if (isObject(body)) return body
  throw new SourceFailure(0, `no revision: ${text.slice(0, 100)}`)
}
