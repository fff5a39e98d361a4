// The bytes of a content as they are: whole or a part of them (RFC 9110, 14), never shown by a browser as a page of
// ours.

import { peekFirst } from '../../../base/byte-stream.ts'
import type { ByteRange } from '../../../files/file-store.ts'
import { DamagedFile } from '../../../files/verified.ts'
import { attachmentNamed } from '../../../http/reply/attachment.ts'
import { holdsTag } from '../../../http/reply/etag.ts'
import type { Reply } from '../../../http/reply/send.ts'
import type { ApiRequest } from '../../../http/router.ts'
import type { DocumentService } from '../document-service.ts'
import { acquireMemory, openContent } from './content-reply.ts'

export interface RawFile {
  readonly file_name: string
  readonly mime_type: string
  readonly doc_size: number
  readonly file_hash: string
}

export async function replyRaw(
  service: DocumentService,
  request: ApiRequest,
  companyId: string,
  file: RawFile,
  isHead: boolean,
): Promise<Reply> {
  // The hash identifies the content, so it is a strong entity tag.
  const etag = `"${file.file_hash}"`
  const headers = {
    etag,
    'accept-ranges': 'bytes',
    'content-type': file.mime_type,
    'content-disposition': attachmentNamed(file.file_name),
  }
  if (holdsTag(request.ifNoneMatch, etag)) return { status: 304, headers: { etag } }
  const range =
    isHead || (request.ifRange !== undefined && request.ifRange.trim() !== etag) ? 'complete' : rangeOf(request, file)
  if (range === 'none') {
    return { status: 416, headers: { 'content-range': `bytes */${file.doc_size}` } }
  }
  if (range === 'complete') {
    const complete = { ...headers, 'content-length': String(file.doc_size) }
    if (isHead || file.doc_size === 0) return { status: 200, headers: complete, isIncompressible: true }
    const body = await openContent(service, request, companyId, { hash: file.file_hash, size: file.doc_size })
    return { status: 200, headers: complete, body, isIncompressible: true }
  }
  const { first, last } = range
  const part = {
    ...headers,
    'content-length': String(last - first + 1),
    'content-range': `bytes ${first}-${last}/${file.doc_size}`,
  }
  return {
    status: 206,
    headers: part,
    body: await openRange(service, request, companyId, file, range),
    isIncompressible: true,
  }
}

/** The requested range, both ends included. Multiple ranges and other units get the complete content. */
function rangeOf({ range }: ApiRequest, { doc_size: size }: RawFile): ByteRange | 'complete' | 'none' {
  const match = /^bytes\s*=\s*(\d*)\s*-\s*(\d*)$/i.exec(range?.trim() ?? '')
  if (!match) return 'complete'
  const [, from = '', to = ''] = match
  if (from === '' && to === '') return 'complete'
  const first = from === '' ? Math.max(size - Number(to), 0) : Number(from)
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (from !== '' && to !== '' && Number(to) < Number(from)) return 'complete'
  return first < size && (from !== '' || Number(to) > 0) ? { first, last } : 'none'
}

/** Opens a range; unlike the complete content, it cannot be verified by the hash. */
async function openRange(
  service: DocumentService,
  request: ApiRequest,
  companyId: string,
  { file_hash: hash }: RawFile,
  { first, last }: ByteRange,
): Promise<AsyncGenerator<Uint8Array, void, void>> {
  await acquireMemory(service, request)
  const source = await service.files.read(companyId, hash, { first, last })
  request.onClosed(() => void source.destroy())
  const damaged = new DamagedFile(`the file ${hash} of company ${companyId} has no bytes ${first} to ${last}`)
  return peekFirst(exactChunks(source, last - first + 1, damaged))
}

/** Never yields more bytes than announced: the client would read them as the start of the next response. */
async function* exactChunks(
  source: AsyncIterable<Uint8Array>,
  length: number,
  fault: Error,
): AsyncGenerator<Uint8Array, void, void> {
  let read = 0
  for await (const chunk of source) {
    read += chunk.length
    if (read > length) break
    yield chunk
  }
  if (read !== length) throw fault
}
