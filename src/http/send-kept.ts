// Sends an answer that was kept: its head is there as lines already, and nothing of it is made again.
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { KeptAnswer, KeptWhole } from './answer-cache.ts'
import { holdsTag } from './etag.ts'
import { COMPRESSED_FROM_BYTES, GZIP_LEVEL } from './send.ts'

const zip = promisify(gzip)
/** Of who does not take gzip, or would rather have something else, the answer is made anew. */
const TAKES_GZIP = /(?:^|,)\s*gzip\s*(?:,|$)/i
const CLOSE: readonly string[] = ['connection', 'close']

export type Form = '304' | 'plain' | 'gzip'

/** How this caller is answered with what is kept; nothing when it does not serve. */
export function formFor({ etag, whole }: KeptAnswer, { headers }: FastifyRequest): Form | undefined {
  if (etag !== undefined && holdsTag(headers['if-none-match'], etag)) return '304'
  if (!whole) return undefined
  const accepted = headers['accept-encoding']
  if (accepted === undefined || whole.body.length < COMPRESSED_FROM_BYTES) return 'plain'
  return TAKES_GZIP.test(String(accepted)) ? 'gzip' : undefined
}

export async function zipOf({ body }: KeptWhole): Promise<Buffer> {
  return zip(body, { level: GZIP_LEVEL })
}

/** `isLast`: the connection ends with this answer. */
export function sendKept({ tagLines, whole }: KeptAnswer, form: Form, reply: FastifyReply, isLast: boolean): 200 | 304 {
  reply.hijack()
  const id = ['x-request-id', reply.request.id]
  const last = isLast ? CLOSE : []
  if (form === '304' || !whole) {
    reply.raw.writeHead(304, [...id, ...last, ...tagLines])
    reply.raw.end()
    return 304
  }
  const { lines, body, zipped = body } = whole
  const bytes = form === 'gzip' ? zipped : body
  const encoded = form === 'gzip' ? ['content-encoding', 'gzip'] : []
  reply.raw.writeHead(200, [...id, ...last, ...encoded, 'content-length', String(bytes.length), ...lines])
  reply.raw.end(bytes)
  return 200
}
