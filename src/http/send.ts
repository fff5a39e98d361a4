// Writes a reply. What needs no compression goes to the socket as it is; the rest goes through the server's hooks.
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Validity } from '../base/validity.ts'

export interface Reply {
  readonly status: number
  /** JSON text (or another type's, when a header says so), at once or piece by piece, or nothing. */
  readonly body?: string | Uint8Array | AsyncGenerator<Uint8Array, unknown, void>
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Compression would cost much and save little: file contents. The next piece is asked for when the one before is with the
   * operating system, so its memory may be used again.
   */
  readonly isIncompressible?: boolean
  /** How long the answer holds: then the same may be sent to who asks the same. */
  readonly validity?: Validity
}

/** Shorter bodies are not worth compressing. */
export const COMPRESSED_FROM_BYTES = 1_024
export const GZIP_LEVEL = 4

/** A caller who takes nothing of an answer for so long is given up: its files and sessions are others' to have. */
const STALLED_MS = 60_000
const BUFFERED_BYTES = 64 * 1024

const HEADERS_OF_ALL: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-site',
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** `onBroken` is told of an answer that could not be sent to its end; the caller sees that it is cut off. */
export function send(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Reply,
  onBroken: (error: unknown) => void = () => {},
): FastifyReply {
  const { status, body = '', headers } = answer
  const mayCompress = !answer.isIncompressible && !isShort(body) && request.headers['accept-encoding'] !== undefined
  if (mayStall(body)) reply.raw.setTimeout(STALLED_MS, () => reply.raw.destroy())
  if (!mayCompress && (request.method !== 'HEAD' || body === '')) {
    reply.hijack()
    if (isWhole(body)) writeRaw(reply.raw, request.id, answer, body)
    else {
      writeHead(reply.raw, request.id, answer)
      const sent = answer.isIncompressible ? sendInTurn(body, reply.raw) : pipeline(body, reply.raw)
      sent.catch(onBroken).finally(() => leave(body))
    }
    return reply
  }
  reply.code(status).headers(HEADERS_OF_ALL).header('x-request-id', request.id)
  if (body !== '') reply.header('content-type', JSON_TYPE)
  if (headers) reply.headers(headers)
  return reply.send(isWhole(body) ? body : Readable.from(body, { objectMode: false }).on('error', onBroken))
}

/** Rejects as `pipeline` does. */
async function sendInTurn(body: AsyncGenerator<Uint8Array, unknown, void>, response: ServerResponse): Promise<void> {
  try {
    for await (const piece of body) await write(response, piece)
    response.end()
  } catch (error) {
    response.destroy()
    throw error
  }
}

/** Resolves when the operating system has taken the piece. */
function write(response: ServerResponse, piece: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(new PrematureClose())
    response.once('close', leave)
    const done = (error?: Error | null) => {
      response.off('close', leave)
      error ? leave() : resolve()
    }
    response.write(piece, done)
  })
}

/** The caller has gone away in the middle. */
class PrematureClose extends Error {
  readonly code = 'ERR_STREAM_PREMATURE_CLOSE'
}

function isWhole(body: NonNullable<Reply['body']>): body is string | Uint8Array {
  return typeof body === 'string' || body instanceof Uint8Array
}

/** An answer that nobody takes any more must not be made any further. */
export function leave(body: Reply['body']): void {
  if (body !== undefined && !isWhole(body)) body.return(undefined).catch(() => {})
}

/** Smaller ones lie in the buffers of the connection, whether they are taken or not. */
function mayStall(body: NonNullable<Reply['body']>): boolean {
  return !isWhole(body) || body.length > BUFFERED_BYTES
}

function isShort(body: NonNullable<Reply['body']>): boolean {
  return isWhole(body) && body.length < COMPRESSED_FROM_BYTES
}

function writeRaw(response: ServerResponse, requestId: string, answer: Reply, body: string | Uint8Array): void {
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
  // A HEAD tells the length of what GET answers.
  const isTold = answer.status === 304 || answer.headers?.['content-length'] !== undefined
  writeHead(response, requestId, answer, isTold ? undefined : length)
  response.end(body)
}

/** `length` is told where there is one, in bytes. */
function writeHead(response: ServerResponse, requestId: string, answer: Reply, length?: number): void {
  const lines = ['x-request-id', requestId]
  if (length !== undefined) lines.push('content-length', String(length))
  addLines(lines, answer)
  response.writeHead(answer.status, lines)
}

/** Headers as name, value, name, value: the form that Node.js writes fastest. Without those of one request or of the length. */
export function addLines(lines: string[], { body = '', headers }: Pick<Reply, 'body' | 'headers'>): void {
  for (const name in HEADERS_OF_ALL) if (headers?.[name] === undefined) lines.push(name, HEADERS_OF_ALL[name] ?? '')
  if (body !== '' && headers?.['content-type'] === undefined) lines.push('content-type', JSON_TYPE)
  for (const name in headers) lines.push(name, headers[name] ?? '')
}
