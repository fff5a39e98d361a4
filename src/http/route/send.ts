// Sends a reply through Fastify, whose hooks compress it; that costs 4 % of a single GET (docs/performance.md). Only
// contents of files are written directly to Node's response, because a stream would request a chunk while the memory of
// the one before is still being sent.
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Validity } from '../../base/validity.ts'

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

/** Shorter bodies are not compressed. */
export const COMPRESSED_FROM_BYTES = 1_024
export const GZIP_LEVEL = 4

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

/** `onBroken` is called if the body could not be sent to its end; the client then gets a truncated response. */
export function send(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Reply,
  onBroken: (error: unknown) => void = () => {},
): FastifyReply {
  const { status, body: whole = '', headers, cookies = [], isIncompressible = false } = answer
  // Nothing is made for a body that is not sent.
  const isDropped = request.method === 'HEAD' && !isBuffered(whole)
  if (isDropped) discardBody(whole)
  const body = isDropped ? '' : whole
  if (mayStall(body)) reply.raw.setTimeout(STALLED_MS, () => reply.raw.destroy())
  if (isIncompressible && !isBuffered(body)) {
    reply.hijack()
    reply.raw.writeHead(status, addHeaders(['x-request-id', request.id], answer))
    writeChunks(body, reply.raw)
      .catch(onBroken)
      .finally(() => discardBody(body))
    return reply
  }
  // @fastify/compress knows this header of requests, and nothing of replies.
  if (isIncompressible) request.headers['x-no-compression'] = 'true'
  reply.code(status).header('x-request-id', request.id).headers(DEFAULT_HEADERS)
  if (whole !== '') reply.header('content-type', JSON_TYPE)
  if (headers) reply.headers(headers)
  if (cookies.length > 0) reply.header('set-cookie', cookies)
  if (isBuffered(body)) return reply.send(body === '' ? undefined : body)
  return reply.send(Readable.from(body, { objectMode: false }).on('error', onBroken))
}

async function writeChunks(body: AsyncGenerator<Uint8Array, unknown, void>, response: ServerResponse): Promise<void> {
  try {
    for await (const chunk of body) await write(response, chunk)
    response.end()
  } catch (error) {
    response.destroy()
    throw error
  }
}

/** Resolves when the operating system has taken the chunk. */
function write(response: ServerResponse, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    const onClose = () => reject(new PrematureClose())
    response.once('close', onClose)
    const done = (error?: Error | null) => {
      response.off('close', onClose)
      error ? onClose() : resolve()
    }
    response.write(chunk, done)
  })
}

/** The client has disconnected during the response. */
class PrematureClose extends Error {
  readonly code = 'ERR_STREAM_PREMATURE_CLOSE'
}

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
export function addHeaders(list: string[], { body = '', headers }: Pick<Reply, 'body' | 'headers'>): string[] {
  const all: Record<string, string> = {
    ...DEFAULT_HEADERS,
    ...(body === '' ? {} : { 'content-type': JSON_TYPE }),
    ...headers,
  }
  for (const name in all) list.push(name, all[name] ?? '')
  return list
}
