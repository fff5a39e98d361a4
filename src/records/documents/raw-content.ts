// The bytes of a content as they are: whole or a part of them (RFC 9110, 14), never shown by a browser as a page of ours.
import { DamagedFile } from '../../files/verified.ts'
import { attachmentNamed } from '../../http/attachment.ts'
import { begun } from '../../http/begun.ts'
import type { Call } from '../../http/edge.ts'
import type { Reply } from '../../http/send.ts'
import { openContent, takeMemory } from './content-reply.ts'
import type { DocumentService } from './document-service.ts'

export interface RawFile {
  readonly file_name: string
  readonly mime_type: string
  readonly doc_size: number
  readonly file_hash: string
}

export async function replyRaw(
  service: DocumentService,
  call: Call,
  companyId: string,
  file: RawFile,
  isHead: boolean,
): Promise<Reply> {
  // The hash is the content: a strong tag.
  const etag = `"${file.file_hash}"`
  const headers = {
    etag,
    'accept-ranges': 'bytes',
    'content-type': file.mime_type,
    'content-disposition': attachmentNamed(file.file_name),
  }
  if (isNamed(call.ifNoneMatch, etag)) return { status: 304, headers: { etag } }
  const range = isHead || (call.ifRange !== undefined && call.ifRange.trim() !== etag) ? 'whole' : rangeOf(call, file)
  if (range === 'none') {
    return { status: 416, headers: { 'content-range': `bytes */${file.doc_size}` } }
  }
  if (range === 'whole') {
    const whole = { ...headers, 'content-length': String(file.doc_size) }
    if (isHead || file.doc_size === 0) return { status: 200, headers: whole, isIncompressible: true }
    const body = await openContent(service, call, companyId, { hash: file.file_hash, size: file.doc_size })
    return { status: 200, headers: whole, body, isIncompressible: true }
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
    body: await openPart(service, call, companyId, file, range),
    isIncompressible: true,
  }
}

function isNamed(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}

interface Part {
  readonly first: number
  readonly last: number
}

/** One part, both ends in it; several parts, and units that are not bytes, are answered with the whole. */
function rangeOf({ range }: Call, { doc_size: size }: RawFile): Part | 'whole' | 'none' {
  const match = /^bytes\s*=\s*(\d*)\s*-\s*(\d*)$/i.exec(range?.trim() ?? '')
  if (!match) return 'whole'
  const [, from = '', to = ''] = match
  if (from === '' && to === '') return 'whole'
  const first = from === '' ? Math.max(size - Number(to), 0) : Number(from)
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (from !== '' && to !== '' && Number(to) < Number(from)) return 'whole'
  return first < size && (from !== '' || Number(to) > 0) ? { first, last } : 'none'
}

/** A part cannot be held against the hash of the whole. */
async function openPart(
  service: DocumentService,
  call: Call,
  companyId: string,
  { file_hash: hash }: RawFile,
  { first, last }: Part,
): Promise<AsyncGenerator<Uint8Array, void, void>> {
  await takeMemory(service, call)
  const source = await service.files.read(companyId, hash, { first, last })
  call.onClosed(() => void source.destroy())
  const damaged = new DamagedFile(`the file ${hash} of company ${companyId} has no bytes ${first} to ${last}`)
  return begun(piecesOf(source, last - first + 1, damaged))
}

/** Never more than the answer has told: it would be read as another answer. */
async function* piecesOf(
  source: AsyncIterable<Uint8Array>,
  length: number,
  fault: Error,
): AsyncGenerator<Uint8Array, void, void> {
  let read = 0
  for await (const piece of source) {
    read += piece.length
    if (read > length) break
    yield piece
  }
  if (read !== length) throw fault
}
