// The bare floor: node:http before the handlers.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Synchronous } from './database.ts'
import { type Answer, type Body, type Handler, headersOf } from './handler.ts'
import { floorHandlers } from './handlers.ts'

const NO_BODY: Body = { type: '', bytes: Buffer.alloc(0) }
// A regular exit, so that Node.js writes the profile.
process.once('SIGINT', () => process.exit(0))
const [file = '', synchronous = 'FULL'] = process.argv.slice(2)
/** A path starts with two fixed segments. */
const routes = new Map(
  floorHandlers(file, synchronous as Synchronous).map((handler) => [`${handler.method} ${handler.path}`, handler]),
)

const server = createServer((request, response) => {
  const [, first = '', second = '', ...rest] = (request.url ?? '').split('/')
  const handler = routes.get(`${request.method} /${first}/${second}`)
  if (!handler) {
    response.writeHead(404).end()
    return
  }
  const segments = rest.map(decodeURIComponent)
  if (request.method === 'GET' || request.method === 'HEAD') reply(response, handler, segments, NO_BODY)
  else {
    const chunks: Buffer[] = []
    const type = request.headers['content-type'] ?? ''
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => reply(response, handler, segments, { type, bytes: Buffer.concat(chunks) }))
  }
})

function reply(response: ServerResponse, handler: Handler, segments: string[], body: Body): void {
  const answer = handler.answer(segments, body)
  if (answer instanceof Promise) answer.then((later) => send(response, later))
  else send(response, answer)
}

function send(response: ServerResponse, answer: Answer): void {
  const { status, text = '', stream } = answer
  const headers = headersOf(answer)
  if (stream) stream.pipe(response.writeHead(status, headers))
  else response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(text) }).end(text)
}

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
