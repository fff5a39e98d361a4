// Answers as they are kept, ready to be sent: the head is there as lines, and nothing of it is made again.
import { isAscii } from 'node:buffer'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { holdsTag } from './etag.ts'
import { addLines, COMPRESSED_FROM_BYTES, GZIP_LEVEL, type Reply } from './send.ts'

const zip = promisify(gzip)
/** Of who does not take gzip, or would rather have something else, the answer is made anew. */
export const TAKES_GZIP = /(?:^|,)\s*gzip\s*(?:,|$)/i
/** As a text, Node.js sends a body together with the head. */
const SHORT_BYTES = 16 * 1024

export interface KeptReply {
  readonly status: 200 | 304
  /** Names and values. The first name is that of the request's id, whose value is put in for each. */
  readonly lines: string[]
  readonly body: Buffer
  /** The body as text where it is short and of ASCII alone. */
  readonly text: string | undefined
}

type Parts = Pick<Reply, 'body' | 'headers'>

/** One answer in the forms in which it may be sent. */
export interface KeptForms {
  readonly etag: string | undefined
  readonly unchanged: KeptReply | undefined
  readonly plain: KeptReply | undefined
  /** Made when somebody first asks for it. */
  zipped?: KeptReply
}

export type Form = 'unchanged' | 'plain' | 'zipped'

/** How a caller is answered with what is kept; nothing when it does not serve. `zipped` may have to be made first. */
export function formFor({ etag, unchanged, plain }: KeptForms, headers: IncomingHttpHeaders): Form | undefined {
  if (unchanged && etag !== undefined && holdsTag(headers['if-none-match'], etag)) return 'unchanged'
  if (!plain) return undefined
  const accepted = headers['accept-encoding']
  if (accepted === undefined || plain.body.length < COMPRESSED_FROM_BYTES) return 'plain'
  return TAKES_GZIP.test(String(accepted)) ? 'zipped' : undefined
}

/** The forms of a reply; without the whole answer where it is longer than that, or is made while it is sent. */
export function formsOf(reply: Reply, mostBytes: number): KeptForms {
  const { etag, vary } = reply.headers ?? {}
  const unchanged = etag === undefined ? undefined : keptReply(304, { headers: vary ? { etag, vary } : { etag } })
  return { etag, unchanged, plain: reply.status === 200 ? plainOf(reply, mostBytes) : undefined }
}

function plainOf(reply: Reply, mostBytes: number): KeptReply | undefined {
  const { body = '' } = reply
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) return undefined
  const bytes = Buffer.from(body as string)
  return bytes.length > mostBytes ? undefined : keptReply(200, reply, bytes)
}

function keptReply(status: 200 | 304, reply: Parts, body = Buffer.alloc(0)): KeptReply {
  const lines = ['x-request-id', '']
  if (status === 200) lines.push('content-length', String(body.length))
  addLines(lines, reply)
  const text = body.length <= SHORT_BYTES && isAscii(body) ? body.toString('latin1') : undefined
  return { status, lines, body, text }
}

export async function zippedOf({ lines, body }: KeptReply): Promise<KeptReply> {
  const zipped = await zip(body, { level: GZIP_LEVEL })
  const others = lines.slice(lines.indexOf('content-length') + 2)
  const head = ['x-request-id', '', 'content-encoding', 'gzip', 'content-length', String(zipped.length)]
  return { status: 200, lines: [...head, ...others], body: zipped, text: undefined }
}

export function sendKept({ status, lines, body, text }: KeptReply, response: ServerResponse, requestId: string): void {
  // Node.js has made one text of them when this returns.
  lines[1] = requestId
  response.writeHead(status, lines)
  if (text !== undefined) response.end(text, 'latin1')
  else response.end(body)
}

export function sizeOf({ unchanged, plain, zipped }: KeptForms): number {
  let bytes = 0
  for (const one of [unchanged, plain, zipped]) bytes += one ? one.body.length + (one.text?.length ?? 0) : 0
  return bytes
}
