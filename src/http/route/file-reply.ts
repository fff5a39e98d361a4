// Replies with the bytes of a file: complete, one range of them, or 304 (RFC 9110, 13 and 14). Browsers save the file
// rather than show it as a page of this site.
import { create } from 'content-disposition'
import { holdsTag, permitsTag } from '../../base/etag.ts'
import type { ByteRange } from '../../files/file-store.ts'
import type { ApiRequest } from './route.ts'
import type { Reply } from './send.ts'

interface DownloadedFile {
  readonly name: string
  readonly mimeType: string
  /** In bytes. */
  readonly size: number
  /** The hash of the content, so it is the strong entity tag. */
  readonly hash: string
  /** Opens a range of the bytes, or all of them. Not called for an empty file. */
  open(range?: ByteRange): Promise<AsyncGenerator<Uint8Array, void, void>>
}

export async function fileReply(request: ApiRequest, file: DownloadedFile, isHead: boolean): Promise<Reply> {
  const { size } = file
  const etag = `"${file.hash}"`
  if (!permitsTag(request.ifMatch, etag)) return { status: 412 }
  if (holdsTag(request.ifNoneMatch, etag)) return { status: 304, headers: { etag } }
  const ignoresRange = isHead || (request.ifRange !== undefined && request.ifRange.trim() !== etag)
  const range = ignoresRange ? 'complete' : rangeOf(request.range, size)
  if (range === 'none') return { status: 416, headers: { 'content-range': `bytes */${size}` } }
  const headers = {
    etag,
    'accept-ranges': 'bytes',
    'content-type': file.mimeType,
    'content-disposition': create(file.name, { type: 'attachment' }),
  }
  if (range === 'complete') {
    const complete = { status: 200, headers: { ...headers, 'content-length': String(size) }, isIncompressible: true }
    return isHead || size === 0 ? complete : { ...complete, body: await file.open() }
  }
  const { first, last } = range
  const part = { 'content-length': String(last - first + 1), 'content-range': `bytes ${first}-${last}/${size}` }
  return { status: 206, headers: { ...headers, ...part }, body: await file.open(range), isIncompressible: true }
}

/**
 * The requested range, both ends included. Multiple ranges and other units get the complete content. `range-parser` is
 * not used: of a file of 10 bytes it rejects `-1000`, which is the complete file, and `5-2`, which is to be ignored.
 */
function rangeOf(header: string | undefined, size: number): ByteRange | 'complete' | 'none' {
  const match = /^bytes\s*=\s*(\d*)\s*-\s*(\d*)$/i.exec(header?.trim() ?? '')
  if (!match) return 'complete'
  const [, from = '', to = ''] = match
  if (from === '' && to === '') return 'complete'
  const first = from === '' ? Math.max(size - Number(to), 0) : Number(from)
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (from !== '' && to !== '' && Number(to) < Number(from)) return 'complete'
  return first < size && (from !== '' || Number(to) > 0) ? { first, last } : 'none'
}
