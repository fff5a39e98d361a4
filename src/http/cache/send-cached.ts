// Cached responses, ready to be sent: the headers are a list of names and values, as Node writes it.
import { isAscii } from 'node:buffer'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { holdsTag } from '../../base/etag.ts'
import { addHeaders, COMPRESSED_FROM_BYTES, GZIP_LEVEL, type Reply } from '../reply/send.ts'

const zip = promisify(gzip)
/** Matches plain `gzip` without a quality value. Other preferences are left to @fastify/compress. */
export const ACCEPTS_GZIP = /(?:^|,)\s*gzip\s*(?:,|$)/i
/** Node sends a body given as a string in one packet with the headers. */
const SHORT_BYTES = 16 * 1024

export interface CachedReply {
  readonly status: 200 | 304
  /** Header names and values in turn. The first is `x-request-id`, whose value is filled in for each request. */
  readonly headers: string[]
  readonly body: Buffer
  /** The body as a string, if it is short and pure ASCII. */
  readonly text: string | undefined
}

type Content = Pick<Reply, 'body' | 'headers'>

/** One response in the variants in which it may be sent. */
export interface CachedVariants {
  readonly etag: string | undefined
  /** The 304. */
  readonly unchanged: CachedReply | undefined
  readonly plain: CachedReply | undefined
  /** Made on the first request that accepts gzip. */
  zipped?: CachedReply
}

export type Variant = 'unchanged' | 'plain' | 'zipped'

/** The variant for a request; undefined if none fits. `zipped` may have to be made first. */
export function variantFor(
  { etag, unchanged, plain }: CachedVariants,
  headers: IncomingHttpHeaders,
): Variant | undefined {
  if (unchanged && etag !== undefined && holdsTag(headers['if-none-match'], etag)) return 'unchanged'
  if (!plain) return undefined
  const accepted = headers['accept-encoding']
  if (accepted === undefined || plain.body.length < COMPRESSED_FROM_BYTES) return 'plain'
  return ACCEPTS_GZIP.test(String(accepted)) ? 'zipped' : undefined
}

/** The variants of a reply, without the body if that is longer than `maxBytes` or streamed. */
export function variantsOf(reply: Reply, maxBytes: number): CachedVariants {
  const { etag, vary } = reply.headers ?? {}
  const unchanged = etag === undefined ? undefined : cachedReply(304, { headers: vary ? { etag, vary } : { etag } })
  return { etag, unchanged, plain: reply.status === 200 ? plainOf(reply, maxBytes) : undefined }
}

function plainOf(reply: Reply, maxBytes: number): CachedReply | undefined {
  const { body = '' } = reply
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) return undefined
  const bytes = Buffer.from(body as string)
  return bytes.length > maxBytes ? undefined : cachedReply(200, reply, bytes)
}

function cachedReply(status: 200 | 304, reply: Content, body = Buffer.alloc(0)): CachedReply {
  const headers = ['x-request-id', '']
  if (status === 200) headers.push('content-length', String(body.length))
  addHeaders(headers, reply)
  const text = body.length <= SHORT_BYTES && isAscii(body) ? body.toString('latin1') : undefined
  return { status, headers, body, text }
}

export async function zippedOf({ headers, body }: CachedReply): Promise<CachedReply> {
  const zipped = await zip(body, { level: GZIP_LEVEL })
  const others = headers.slice(headers.indexOf('content-length') + 2)
  const first = ['x-request-id', '', 'content-encoding', 'gzip', 'content-length', String(zipped.length)]
  return { status: 200, headers: [...first, ...others], body: zipped, text: undefined }
}

export function sendCached(
  { status, headers, body, text }: CachedReply,
  response: ServerResponse,
  requestId: string,
): void {
  // The shared list may be changed: writeHead copies it before it returns.
  headers[1] = requestId
  response.writeHead(status, headers)
  if (text !== undefined) response.end(text, 'latin1')
  else response.end(body)
}

export function sizeOf({ unchanged, plain, zipped }: CachedVariants): number {
  let bytes = 0
  for (const reply of [unchanged, plain, zipped]) bytes += reply ? reply.body.length + (reply.text?.length ?? 0) : 0
  return bytes
}
