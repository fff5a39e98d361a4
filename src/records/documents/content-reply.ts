// Answers with contents in them: as base64 within a record, never there as a whole.
import { base64Length, base64Of } from '../../base/base64.ts'
import type { FileReference } from '../../files/file-store.ts'
import { readVerified } from '../../files/verified.ts'
import { begun } from '../../http/begun.ts'
import type { Call } from '../../http/edge.ts'
import type { Reply } from '../../http/send.ts'
import type { DocumentService } from './document-service.ts'

/** What one answer holds at a time: a piece as it is read, as base64, and what waits in the socket. */
const MEMORY_OF_AN_ANSWER_BYTES = 1024 * 1024

/** A record in two halves, `fileContent` to stand between them. */
export interface RecordParts {
  /** Both JSON objects. */
  readonly before: string
  readonly after: string
  readonly file: FileReference
}

export type Pieces = AsyncGenerator<Uint8Array, void, void>

/** Until the connection is closed. Throws 503 when too many are on their way. */
export async function takeMemory({ budget }: DocumentService, { caller, onClosed }: Call): Promise<void> {
  onClosed(await budget.acquire(caller.flow, MEMORY_OF_AN_ANSWER_BYTES, onClosed))
}

/** The record with its content. Throws 503 when too many are on their way; a content that is not there is a fault of ours. */
export async function replyWithContent(
  service: DocumentService,
  call: Call,
  companyId: string,
  parts: RecordParts,
): Promise<ContentReply> {
  return replyAround(parts, await openContent(service, call, companyId, parts.file))
}

type ContentReply = Pick<Reply, 'body' | 'headers' | 'isIncompressible'>

/** The same with a content that was opened before. */
export function replyAround(parts: RecordParts, content: Pieces): ContentReply {
  const opening = openingOf(parts)
  const closing = closingOf(parts)
  const length = Buffer.byteLength(opening) + base64Length(parts.file.size) + Buffer.byteLength(closing)
  return {
    headers: { 'content-length': String(length) },
    body: piecesOf(opening, content, closing),
    isIncompressible: true,
  }
}

/** A content, in memory that is taken for it, of which the first piece is there. */
export async function openContent(
  service: DocumentService,
  call: Call,
  companyId: string,
  file: FileReference,
): Promise<Pieces> {
  await takeMemory(service, call)
  return openInMemory(service, call, companyId, file)
}

/** The same in memory that the request has taken. It is ended with the connection, taken or not. */
export async function openInMemory(
  { files }: DocumentService,
  { onClosed }: Call,
  companyId: string,
  file: FileReference,
): Promise<Pieces> {
  const content = await begun(readVerified(files, companyId, file))
  onClosed(() => void content.return().catch(() => {}))
  return content
}

/** Records with their contents, one after the other. */
export async function* withContents(
  { files }: DocumentService,
  companyId: string,
  records: AsyncIterable<RecordParts> | Iterable<RecordParts>,
): Pieces {
  let isFirst = true
  for await (const parts of records) {
    const opening = (isFirst ? '' : ',') + openingOf(parts)
    isFirst = false
    yield* piecesOf(opening, readVerified(files, companyId, parts.file), closingOf(parts))
  }
}

async function* piecesOf(opening: string, content: Pieces, closing: string): Pieces {
  yield* ledBy(opening, base64Of(content))
  yield Buffer.from(closing)
}

/** A page of a list: what stands before its items, then they. */
export async function* enveloped(head: string, items: AsyncIterable<Uint8Array>): Pieces {
  yield* ledBy(head, items)
  yield Buffer.from(']}')
}

/** Nothing is given before the first piece is there: until then, a fault can be answered as one. */
async function* ledBy(opening: string, pieces: AsyncIterable<Uint8Array>): Pieces {
  let isFirst = true
  for await (const piece of pieces) {
    if (isFirst) yield Buffer.from(opening)
    isFirst = false
    yield piece
  }
  if (isFirst) yield Buffer.from(opening)
}

function openingOf({ before }: RecordParts): string {
  return `${before.slice(0, -1)},"fileContent":"`
}

function closingOf({ after }: RecordParts): string {
  return after === '{}' ? '"}' : `",${after.slice(1)}`
}

/** Two JSON objects as one; either may be empty. */
export function joined(one: string, other: string): string {
  if (one === '{}' || other === '{}') return one === '{}' ? other : one
  return `${one.slice(0, -1)},${other.slice(1)}`
}
