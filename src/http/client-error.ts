// What Node's own server refuses, before there is a request: the contract's shape all the same.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** With words of ours: an import of Node's would load its whole client of HTTP, which takes longer than most commands. */
const STATUS_OF: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'The request line and headers are larger than 32768 bytes.',
  ],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['413 Payload Too Large', 'The chunk extensions of the request body are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request was not sent in time.'],
}

/** The answer to the latest request on a connection, and to the one before: those that may still be on their way. */
interface Latest {
  readonly answer: ServerResponse<IncomingMessage>
  readonly before: ServerResponse | undefined
}

const latestOn = new WeakMap<Socket, Latest>()
/** Nothing more is answered on these. */
const refused = new WeakSet<Socket>()

/** Must be called before the server listens. */
export function refuseInShape(server: Server): void {
  const remember = ({ socket }: IncomingMessage, answer: ServerResponse<IncomingMessage>) =>
    latestOn.set(socket, { answer, before: latestOn.get(socket)?.answer })
  server.on('request', remember)
  server.on('checkExpectation', (request, response) => {
    remember(request, response)
    const body = bodyOf('The only expectation that is met is 100-continue.')
    response.writeHead(417, headersOf(body)).end(body)
  })
}

/** Whether a request on the connection is being read or answered. */
export function hasRequest(socket: Socket): boolean {
  const latest = latestOn.get(socket)
  return latest !== undefined && !latest.answer.closed
}

/** Answers on the bare socket and closes it. What was asked before on the same connection is answered first. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  if (refused.has(socket)) return
  refused.add(socket)
  const latest = latestOn.get(socket)
  const isOfLatest = latest !== undefined && !latest.answer.req.complete
  whenSent(isOfLatest ? latest.before : latest?.answer, () => {
    // A request may be answered before its body has come: then the body is not answered once more.
    if (isOfLatest && latest.answer.headersSent) whenSent(latest.answer, () => socket.end())
    else if (socket.writable) refuse(socket, error.code)
  })
}

function whenSent(answer: ServerResponse | undefined, act: () => void): void {
  if (!answer || answer.writableFinished) act()
  else answer.once('finish', act)
}

function refuse(socket: Socket, code = ''): void {
  const [status, message] = STATUS_OF[code] ?? ['400 Bad Request', 'The request is not valid HTTP/1.1.']
  const body = bodyOf(message)
  const head = Object.entries(headersOf(body)).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status}\r\n${head.join('')}\r\n${body}`)
}

function bodyOf(message: string): string {
  return JSON.stringify({ code: 1010, message })
}

function headersOf(body: string): Record<string, string | number> {
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'X-Request-Id': randomUUID(),
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    Connection: 'close',
  }
}
