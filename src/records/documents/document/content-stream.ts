// Contents in responses: streamed as base64 within a record, or as they are, but never buffered completely.
import type { Caller, ReadRequest } from '../../../access/caller.ts'
import { base64Length, base64Of } from '../../../base/base64.ts'
import { peekFirst } from '../../../base/byte-stream.ts'
import type { ByteRange, FileReference } from '../../../files/file-store.ts'
import { DamagedFile, readVerified } from '../../../files/verified.ts'
import type { StoredResponse, WriteReply } from '../../shared/idempotent.ts'
import type { RecordAccess } from '../../shared/record-access.ts'
import { redactedParts } from '../document-access.ts'
import type { DocumentService } from '../document-service.ts'
import type { FileColumns } from '../document-store.ts'

/** Memory of one response: a chunk as read, the chunk as base64, and the data queued in the socket. */
const RESPONSE_MEMORY_BYTES = 1024 * 1024

/** The JSON of a record in two halves, between which `fileContent` is inserted. */
export interface RecordParts {
  /** Both halves are JSON objects. */
  readonly before: string
  readonly after: string
  readonly file: FileReference
}

export type Chunks = AsyncGenerator<Uint8Array, void, void>

/** Who reads contents, and how to learn that the connection is closed, before or after the response. */
export interface ContentReader {
  readonly caller: Caller
  onClosed(listener: () => void): void
}

/** Acquires memory for one response until the connection is closed. Throws 503 when too many responses are active. */
export async function acquireMemory({ budget }: DocumentService, { caller, onClosed }: ContentReader): Promise<void> {
  onClosed(await budget.acquire(caller.flow, RESPONSE_MEMORY_BYTES, onClosed))
}

/** A record with its content, as the parts of a response. */
interface RecordStream {
  readonly headers: { readonly 'content-length': string }
  readonly body: Chunks
  readonly isIncompressible: true
}

/** Streams a record with its content. Throws 503 when too many are being streamed. */
export async function streamRecord(
  service: DocumentService,
  reader: ContentReader,
  companyId: string,
  parts: RecordParts,
): Promise<RecordStream> {
  return streamAround(parts, await openContent(service, reader, companyId, parts.file))
}

/** Like `streamRecord`, with a content that is already open. */
function streamAround(parts: RecordParts, content: Chunks): RecordStream {
  const opening = openingOf(parts)
  const closing = closingOf(parts)
  const length = Buffer.byteLength(opening) + base64Length(parts.file.size) + Buffer.byteLength(closing)
  return {
    headers: { 'content-length': String(length) },
    body: recordChunks(opening, content, closing),
    isIncompressible: true,
  }
}

/** Acquires memory and opens a content; its first chunk has been read. */
async function openContent(
  service: DocumentService,
  reader: ContentReader,
  companyId: string,
  file: FileReference,
): Promise<Chunks> {
  await acquireMemory(service, reader)
  return openInMemory(service, reader, companyId, file)
}

/**
 * Opens a content in memory that the request already has. The content is closed with the connection, even if it was not
 * read.
 */
async function openInMemory(
  { files }: DocumentService,
  { onClosed }: ContentReader,
  companyId: string,
  file: FileReference,
): Promise<Chunks> {
  const content = await peekFirst(readVerified(files, companyId, file))
  onClosed(() => void content.return().catch(() => {}))
  return content
}

/** Streams records with their contents one after the other. */
export async function* withContents(
  { files }: DocumentService,
  companyId: string,
  records: AsyncIterable<RecordParts> | Iterable<RecordParts>,
): Chunks {
  let isFirst = true
  for await (const parts of records) {
    const opening = (isFirst ? '' : ',') + openingOf(parts)
    isFirst = false
    yield* recordChunks(opening, readVerified(files, companyId, parts.file), closingOf(parts))
  }
}

async function* recordChunks(opening: string, content: Chunks, closing: string): Chunks {
  yield* withOpening(opening, base64Of(content))
  yield Buffer.from(closing)
}

/** Streams a page of a list: its head, the items, and the end. */
export async function* enveloped(head: string, items: AsyncIterable<Uint8Array>): Chunks {
  yield* withOpening(head, items)
  yield Buffer.from(']}')
}

/** Yields nothing before the first chunk has been read: until then, a fault can still become an error response. */
async function* withOpening(opening: string, chunks: AsyncIterable<Uint8Array>): Chunks {
  let isFirst = true
  for await (const chunk of chunks) {
    if (isFirst) yield Buffer.from(opening)
    isFirst = false
    yield chunk
  }
  if (isFirst) yield Buffer.from(opening)
}

function openingOf({ before }: RecordParts): string {
  return `${before.slice(0, -1)},"fileContent":"`
}

function closingOf({ after }: RecordParts): string {
  return after === '{}' ? '"}' : `",${after.slice(1)}`
}

/** Opens the content, or a range of it, which cannot be verified by the hash. */
export async function openRaw(
  service: DocumentService,
  reader: ContentReader,
  companyId: string,
  { file_hash: hash, doc_size: size }: FileColumns,
  range?: ByteRange,
): Promise<Chunks> {
  if (!range) return openContent(service, reader, companyId, { hash, size })
  await acquireMemory(service, reader)
  const source = await service.files.read(companyId, hash, range)
  reader.onClosed(() => void source.destroy())
  const { first, last } = range
  const damaged = new DamagedFile(`the file ${hash} of company ${companyId} has no bytes ${first} to ${last}`)
  return peekFirst(exactChunks(source, last - first + 1, damaged))
}

/** Never yields more bytes than announced: the client would read them as the start of the next response. */
async function* exactChunks(source: AsyncIterable<Uint8Array>, length: number, fault: Error): Chunks {
  let read = 0
  for await (const chunk of source) {
    read += chunk.length
    if (read > length) break
    yield chunk
  }
  if (read !== length) throw fault
}

export interface StoredContentResponse extends StoredResponse {
  readonly more: RecordParts
}

/** The first reply, with the content that was opened when it was stored. */
export function replyOfStored(
  { onClosed }: ContentReader,
  { status, headers: storedHeaders, more }: StoredContentResponse,
  content: Chunks,
): WriteReply {
  onClosed(() => void content.return().catch(() => {}))
  const { headers, ...reply } = streamAround(more, content)
  return { status, ...reply, headers: { ...headers, ...storedHeaders } }
}

/** The reply to a retry, with the stored content and the members of the record that are visible to the caller now. */
export async function replayContent(
  service: DocumentService,
  request: ReadRequest & ContentReader,
  { status, headers: storedHeaders, more }: StoredContentResponse,
  access: RecordAccess | undefined,
): Promise<WriteReply> {
  const { id: companyId } = service.companies.require(request.companyId)
  const visible = access ? redactedParts(access, more) : more
  // The response uses the memory that the request already has: waiting for more could deadlock.
  const { headers, ...reply } = streamAround(visible, await openInMemory(service, request, companyId, visible.file))
  return { status, ...reply, headers: { ...headers, ...storedHeaders } }
}
