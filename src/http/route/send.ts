// Sends a reply: whole bodies with their length, others in chunks, both compressed if the client wants that.
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Transform } from 'node:stream'
import type { Validity } from '../../base/validity.ts'
import {
  COMPRESSED_FROM_BYTES,
  type ContentCoding,
  codingFor,
  compressed,
  encodedHeaders,
  encoderOf,
} from './compression.ts'

export interface Reply {
  readonly status: number
  /** JSON, unless a `content-type` header says otherwise: complete, or streamed in chunks. */
  readonly body?: string | Uint8Array | AsyncGenerator<Uint8Array, unknown, void>
  readonly headers?: Readonly<Record<string, string>>
  /** Each is a header of its own (RFC 6265, 3). */
  readonly cookies?: readonly string[]
  /**
   * For file contents, whose compression would cost much and save little. Each chunk is requested after the operating
   * system has taken the one before, so the generator may reuse its memory.
   */
  readonly isIncompressible?: boolean
  /** Why it is a refusal, for the log. */
  readonly reason?: string
  /** While it is current, the response may be cached for equal requests. */
  readonly validity?: Validity
  /** No number of a change can be told of it. */
  readonly isUnnumbered?: boolean
}

/** A connection that takes no data for so long is closed, to free the files and database sessions that it holds. */
const STALLED_MS = 60_000
const BUFFERED_BYTES = 64 * 1024

const DEFAULT_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-site',
}

export const JSON_TYPE = 'application/json; charset=utf-8'
const DEFAULT_HEADERS_OF_BODIES: Readonly<Record<string, string>> = { ...DEFAULT_HEADERS, 'content-type': JSON_TYPE }

/** A request that is to be answered. */
interface Unanswered {
  readonly id: string
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly response: ServerResponse
  isAnswered: boolean
}

/** `onBroken` is called if the body could not be sent to its end: unless nothing was sent, the client gets a part. */
export function send(request: Unanswered, answer: Reply, onBroken: (error: unknown) => void = () => {}): void {
  const { id, method, response } = request
  const { status, body = '', cookies } = answer
  const coding = codingOf(request, answer)
  const headers = coding ? encodedHeaders(answer.headers, coding) : answer.headers
  const head = { status, headers: addHeaders(['x-request-id', id], { body, headers }) }
  if (cookies?.length) response.setHeader('set-cookie', cookies)
  if (mayStall(body)) response.setTimeout(STALLED_MS, () => response.destroy())
  if (!isBuffered(body) && method === 'HEAD') {
    // Nothing is made for a body that is not sent.
    discardBody(body)
    sendWhole(request, head, '')
  } else if (isBuffered(body) && !coding) sendWhole(request, head, body)
  else {
    request.isAnswered = true
    const sending = isBuffered(body)
      ? compressed(body, coding as ContentCoding).then((zipped) => sendWhole(request, head, zipped))
      : sendChunks(request, head, body, coding && encoderOf(coding))
    sending.catch(onBroken)
  }
}

/** How the body is compressed; undefined: not at all. */
function codingOf({ method, headers }: Unanswered, answer: Reply): ContentCoding | undefined {
  const { status, body = '', headers: given, isIncompressible } = answer
  if (headers['accept-encoding'] === undefined || isIncompressible || status === 206) return undefined
  const isShort = isBuffered(body) ? Buffer.byteLength(body) < COMPRESSED_FROM_BYTES : method === 'HEAD'
  return isShort ? undefined : codingFor(headers, given?.['content-type'] ?? JSON_TYPE)
}

interface Head {
  readonly status: number
  /** Names and values in turn. */
  readonly headers: string[]
}

function sendWhole(request: Unanswered, head: Head, body: string | Uint8Array): void {
  const { method, response } = request
  const { status, headers } = head
  const isBodiless = body === '' && (method === 'HEAD' || status === 204 || status === 304)
  const bytes = Buffer.byteLength(body)
  if (!isBodiless && !headers.includes('content-length')) headers.push('content-length', String(bytes))
  response.writeHead(status, headers)
  request.isAnswered = true
  // As many bytes as characters are ASCII, which is copied where UTF-8 is encoded.
  response.end(body, bytes === body.length ? 'latin1' : 'utf8')
}

/** The headers are not sent before the first chunk, since whatever fails until then can be answered. */
async function sendChunks(
  request: Unanswered,
  head: Head,
  body: AsyncGenerator<Uint8Array, unknown, void>,
  encoder: Transform | undefined,
): Promise<void> {
  const { response } = request
  const target = encoder ?? response
  encoder?.pipe(response)
  const begin = () => response.headersSent || response.writeHead(head.status, head.headers)
  try {
    for await (const chunk of body) {
      begin()
      await write(target, chunk, response)
    }
    if (!encoder && !response.headersSent) return sendWhole(request, head, '')
    begin()
    target.end()
  } catch (error) {
    if (response.closed) throw new PrematureClose()
    if (response.headersSent) response.destroy()
    throw error
  }
}

/** Resolves when the operating system, or the encoder, has taken the chunk, whose memory may be reused then. */
function write(target: ServerResponse | Transform, chunk: Uint8Array, response: ServerResponse): Promise<void> {
  return new Promise((resolve, reject) => {
    const onClose = () => reject(new PrematureClose())
    response.once('close', onClose)
    const done = (error?: Error | null) => {
      response.off('close', onClose)
      error ? onClose() : resolve()
    }
    target.write(chunk, done)
  })
}

/** The client has disconnected during the response. */
export class PrematureClose extends Error {}

function isBuffered(body: NonNullable<Reply['body']>): body is string | Uint8Array {
  return typeof body === 'string' || body instanceof Uint8Array
}

/** Ends the generator of a streamed body that will not be sent. */
export function discardBody(body: Reply['body']): void {
  if (body !== undefined && !isBuffered(body)) body.return(undefined).catch(() => {})
}

/** A smaller body fits into the buffers of the connection, whether the client reads it or not. */
function mayStall(body: NonNullable<Reply['body']>): boolean {
  return !isBuffered(body) || body.length > BUFFERED_BYTES
}

/** Adds the headers, except request id and length, as alternating names and values, which Node writes fastest. */
export function addHeaders(list: string[], { body = '', headers = {} }: Pick<Reply, 'body' | 'headers'>): string[] {
  const defaults = body === '' ? DEFAULT_HEADERS : DEFAULT_HEADERS_OF_BODIES
  for (const name in defaults) list.push(name, headers[name] ?? defaults[name] ?? '')
  for (const name in headers) if (!(name in defaults)) list.push(name, headers[name] ?? '')
  return list
}
