// Documents with their contents.
import { pathTo } from '../http/address.ts'
import type { CallOptions, ChangeOptions, QueryValue, Transport, WriteOptions } from '../http/request.ts'
import { type OnProgress, uploadBody } from '../http/upload-body.ts'
import { NotAuthorisedProblem, Problem } from '../problems.ts'
import { type ArchivedFile, downloadOf, sha256Of } from './download.ts'
import { formOf } from './form.ts'
import { type AnyRecord, type Records, recordsOf } from './records.ts'
import { type Stored, storedIn } from './stored.ts'

/** A file to be sent. Its name's ending says its type. */
export interface Upload {
  readonly fileName: string
  readonly content: Blob | Uint8Array<ArrayBuffer> | string
}

export interface UploadOptions {
  readonly onProgress?: OnProgress | undefined
}

/** A document that was sent, and the hash of its content. */
export interface Uploaded extends Stored<AnyRecord> {
  /** SHA-256 of the content, in hex. */
  readonly sha256: string
  /** Whether the service has told the same hash of what it stored; false where the client may not read the content. */
  readonly isVerified: boolean
}

export interface DocumentFilter extends CallOptions {
  readonly doctype?: string
  readonly title?: string
  readonly indexes?: string
  readonly search?: string
  /** How many one request asks for; the list goes on behind them. */
  readonly pageSize?: number
}

export interface Documents extends Omit<Records<AnyRecord>, 'create'> {
  /** Sends a document with its file, as a form, and compares the hash of what was stored. */
  create(fields: object, file: Upload, options?: WriteOptions & UploadOptions): Promise<Uploaded>
  /** The next revision; `comment` is mandatory. */
  createRevision(id: string, fields: object, file: Upload, options?: ChangeOptions & UploadOptions): Promise<Uploaded>
  /** The newest first, page by page, without contents. */
  list(filter?: DocumentFilter): AsyncGenerator<AnyRecord, void>
  /** The content as a stream; of the newest revision, or of the one named. */
  content(id: string, options?: CallOptions & { readonly revisionNo?: number }): Promise<ArchivedFile>
}

const COLLECTION = '/v1/documents'
const REVISIONS = '/v1/document-revisions'
const PAGE_SIZE = 100

export function documentsOf(transport: Transport): Documents {
  return {
    ...recordsOf(transport, COLLECTION),
    create: async (fields, file, options = {}) =>
      upload(transport, COLLECTION, { fields, file, options, contentOf: (id) => `${COLLECTION}${pathTo(id)}/content` }),
    createRevision: async (id, fields, file, options = {}) => {
      const path = REVISIONS + pathTo(id)
      const contentOf = (_id: string, revisionNo: number) => `${path}${pathTo(revisionNo)}/content`
      return upload(transport, path, { fields, file, options, contentOf })
    },
    list: (filter) => documentsIn(transport, filter),
    content: async (id, { revisionNo, ...options } = {}) => {
      const parts = revisionNo === undefined ? COLLECTION + pathTo(id) : REVISIONS + pathTo(id, revisionNo)
      return downloadOf(await transport.send({ ...options, path: `${parts}/content`, streams: true }))
    },
  }
}

interface Sending {
  readonly fields: object
  readonly file: Upload
  readonly options: ChangeOptions & UploadOptions
  readonly contentOf: (id: string, revisionNo: number) => string
}

async function upload(transport: Transport, path: string, sending: Sending): Promise<Uploaded> {
  const { fields, file, options, contentOf } = sending
  const { onProgress, ...call } = options
  const content = new Blob([file.content])
  const sha256 = await sha256Of(await content.arrayBuffer())
  const { body, contentType } = formOf(fields, file.fileName, content)
  const repeatableBody = uploadBody(body, contentType, onProgress)
  // The answer repeats the content in base64, which nobody asked for here; the service has no other form of it.
  const stored = await storedIn<AnyRecord>(await transport.send({ ...call, method: 'POST', path, repeatableBody }))
  if (call.validateOnly) return { ...stored, sha256, isVerified: false }
  const { id, revisionNo } = stored.record
  const told = await storedHash(transport, contentOf(String(id), Number(revisionNo)), call)
  if (told !== undefined && told !== sha256) throw new Problem(`The content was stored with another hash: ${told}.`)
  return { ...stored, sha256, isVerified: told !== undefined }
}

/** The hash that the service tells of a content; undefined for a client that may not read it. */
async function storedHash(transport: Transport, path: string, call: CallOptions): Promise<string | undefined> {
  const { signal, timeoutMs, company } = call
  try {
    const { headers } = await transport.send({ method: 'HEAD', path, signal, timeoutMs, company })
    return headers.get('etag')?.replace(/^(?:W\/)?"|"$/g, '')
  } catch (error) {
    if (error instanceof NotAuthorisedProblem) return undefined
    throw error
  }
}

interface DocumentPage {
  readonly items: readonly AnyRecord[]
  readonly total: number
}

async function* documentsIn(transport: Transport, filter: DocumentFilter = {}): AsyncGenerator<AnyRecord, void> {
  const { pageSize = PAGE_SIZE, signal, timeoutMs, company, ...given } = filter
  const fixed: Record<string, QueryValue> = { ...given, limit: pageSize }
  let start = 0
  while (true) {
    const query = { ...fixed, start }
    const answer = await transport.send({ path: COLLECTION, query, signal, timeoutMs, company })
    const page = (await answer.json()) as DocumentPage
    yield* page.items
    start += page.items.length
    if (page.items.length === 0 || start >= page.total) return
  }
}
