// Answers requests that Node's HTTP parser rejects, in the error format of the interface.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * With words of ours: an import of Node's would load its whole client of HTTP, which takes longer than most commands.
 */
const STATUS_OF: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'The request line and headers are larger than 32768 bytes.',
  ],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['413 Payload Too Large', 'The chunk extensions of the request body are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request was not sent in time.'],
}

/** A request that was refused before it could be read. */
export interface UnreadRequest {
  readonly status: number
  readonly reason: string
  readonly requestId: string
  readonly socket: Socket
  /** How long the answer is. */
  readonly bytes: number
}

type TellUnread = (request: UnreadRequest) => void

/** The responses to the latest request on a connection and to the one before, either of which may be unfinished. */
interface Latest {
  readonly response: ServerResponse<IncomingMessage>
  readonly before: ServerResponse | undefined
}

const latestOn = new WeakMap<Socket, Latest>()
/** Connections that have been answered and are being closed. */
const rejected = new WeakSet<Socket>()

/** Answers what the parser rejects, after the responses of its connection. Must be called before the server listens. */
export function onClientError(server: Server, tell: TellUnread): void {
  const remember = ({ socket }: IncomingMessage, response: ServerResponse<IncomingMessage>) =>
    latestOn.set(socket, { response, before: latestOn.get(socket)?.response })
  server.on('request', remember)
  server.on('clientError', (error, socket) => answerClientError(error, socket as Socket, tell))
  server.on('checkExpectation', (request, response) => {
    remember(request, response)
    const reason = 'The only expectation that is met is 100-continue.'
    const body = bodyOf(reason)
    const requestId = randomUUID()
    response.writeHead(417, headersOf(body, requestId)).end(body)
    tell({ status: 417, reason, requestId, socket: request.socket, bytes: body.length })
  })
}

/** Whether a request on the connection is being read or answered. */
export function hasRequest(socket: Socket): boolean {
  const latest = latestOn.get(socket)
  return latest !== undefined && !latest.response.closed
}

/** Writes the error to the socket and closes it, after the responses to earlier requests on the connection. */
function answerClientError(error: Error & { code?: string }, socket: Socket, tell: TellUnread): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  if (rejected.has(socket)) return
  rejected.add(socket)
  const latest = latestOn.get(socket)
  const isOfLatest = latest !== undefined && !latest.response.req.complete
  whenSent(isOfLatest ? latest.before : latest?.response, () => {
    // A request may be answered before its body has arrived; an error in the body is not answered again.
    if (isOfLatest && latest.response.headersSent) whenSent(latest.response, () => socket.end())
    else if (socket.writable) reject(socket, error.code, tell)
  })
}

function whenSent(response: ServerResponse | undefined, action: () => void): void {
  if (!response || response.writableFinished) action()
  else response.once('finish', action)
}

function reject(socket: Socket, code = '', tell: TellUnread): void {
  const [status, reason] = STATUS_OF[code] ?? ['400 Bad Request', 'The request is not valid HTTP/1.1.']
  const body = bodyOf(reason)
  const requestId = randomUUID()
  const head = Object.entries(headersOf(body, requestId)).map(([name, value]) => `${name}: ${value}\r\n`)
  const answer = `HTTP/1.1 ${status}\r\n${head.join('')}\r\n${body}`
  socket.end(answer)
  tell({ status: Number.parseInt(status, 10), reason, requestId, socket, bytes: answer.length })
}

function bodyOf(message: string): string {
  return JSON.stringify({ code: 1010, message })
}

function headersOf(body: string, requestId: string): Record<string, string | number> {
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'X-Request-Id': requestId,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    Connection: 'close',
  }
}
