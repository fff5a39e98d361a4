// Sends an answer that was kept: its head is there as lines already, and nothing of it is made again.
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { KeptAnswer, KeptWhole } from './answer-cache.ts'
import { holdsTag } from './etag.ts'
import { COMPRESSED_FROM_BYTES, GZIP_LEVEL } from './send.ts'

const zip = promisify(gzip)
/** Of who does not take gzip, or would rather have something else, the answer is made anew. */
const TAKES_GZIP = /(?:^|,)\s*gzip\s*(?:,|$)/i
const CLOSE: readonly string[] = ['connection', 'close']
const ZIPPED: readonly string[] = ['content-encoding', 'gzip']
const PLAIN: readonly string[] = []

export type Form = '304' | 'plain' | 'gzip'

/** How this caller is answered with what is kept; nothing when it does not serve. */
export function formFor({ etag, whole }: KeptAnswer, headers: IncomingHttpHeaders): Form | undefined {
  if (etag !== undefined && holdsTag(headers['if-none-match'], etag)) return '304'
  if (!whole) return undefined
  const accepted = headers['accept-encoding']
  if (accepted === undefined || whole.body.length < COMPRESSED_FROM_BYTES) return 'plain'
  return TAKES_GZIP.test(String(accepted)) ? 'gzip' : undefined
}

export async function zipOf({ body }: KeptWhole): Promise<Buffer> {
  return zip(body, { level: GZIP_LEVEL })
}

export interface Place {
  readonly response: ServerResponse
  readonly requestId: string
  /** The connection ends with this answer. */
  readonly isLast: boolean
}

export function sendKept({ tagLines, whole }: KeptAnswer, form: Form, place: Place): 200 | 304 {
  const { response, requestId, isLast } = place
  const id = isLast ? ['x-request-id', requestId, ...CLOSE] : ['x-request-id', requestId]
  if (form === '304' || !whole) {
    response.writeHead(304, [...id, ...tagLines])
    response.end()
    return 304
  }
  const { lines, body, text, zipped = body } = whole
  const bytes = form === 'gzip' ? zipped : body
  const encoded = form === 'gzip' ? ZIPPED : PLAIN
  response.writeHead(200, [...id, ...encoded, 'content-length', String(bytes.length), ...lines])
  if (form === 'plain' && text !== undefined) response.end(text, 'latin1')
  else response.end(bytes)
  return 200
}
