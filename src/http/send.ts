// Writes a reply. What needs no compression goes to the socket as it is; the rest goes through the server's hooks.
import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'

export interface Reply {
  readonly status: number
  /** JSON text (or another type's, when a header says so), or nothing. */
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Shorter bodies are not worth compressing. */
export const COMPRESSED_FROM_BYTES = 1_024

export const HEADERS_OF_ALL: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-site',
}

const JSON_TYPE = 'application/json; charset=utf-8'

export function send(request: FastifyRequest, reply: FastifyReply, answer: Reply): FastifyReply {
  const { status, body = '', headers } = answer
  const mayCompress = body.length >= COMPRESSED_FROM_BYTES && request.headers['accept-encoding'] !== undefined
  if (!mayCompress && request.method !== 'HEAD') {
    reply.hijack()
    writeRaw(reply.raw, request.id, answer)
    return reply
  }
  reply.code(status).headers(HEADERS_OF_ALL).header('x-request-id', request.id)
  if (body !== '') reply.header('content-type', JSON_TYPE)
  if (headers) reply.headers(headers)
  return reply.send(body)
}

function writeRaw(response: ServerResponse, requestId: string, { status, body = '', headers }: Reply): void {
  // Name, value, name, value: the form that Node.js writes fastest.
  const lines = ['x-request-id', requestId]
  for (const name in HEADERS_OF_ALL) if (headers?.[name] === undefined) lines.push(name, HEADERS_OF_ALL[name] ?? '')
  if (body !== '' && headers?.['content-type'] === undefined) lines.push('content-type', JSON_TYPE)
  for (const name in headers) lines.push(name, headers[name] ?? '')
  if (status !== 304) lines.push('content-length', String(Buffer.byteLength(body)))
  response.writeHead(status, lines)
  response.end(body)
}
