// The bare floor: node:http before the handlers, nothing else.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Answer, COUNT_HEADER, type Handler, JSON_TYPE } from './handler.ts'
import { floorHandlers } from './handlers.ts'

/** Paths have two fixed segments. */
const routes = new Map(floorHandlers().map((handler) => [`${handler.method} ${handler.path}`, handler]))

const server = createServer((request, response) => {
  const [, first = '', second = '', ...rest] = (request.url ?? '').split('/')
  const handler = routes.get(`${request.method} /${first}/${second}`)
  if (!handler) {
    response.writeHead(404).end()
    return
  }
  const segments = rest.map(decodeURIComponent)
  if (request.method === 'GET' || request.method === 'HEAD') reply(response, handler, segments, '')
  else {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => reply(response, handler, segments, Buffer.concat(chunks).toString()))
  }
})

function reply(response: ServerResponse, handler: Handler, segments: string[], body: string): void {
  const answer = handler.answer(segments, body)
  if (answer instanceof Promise) answer.then((later) => send(response, later))
  else send(response, answer)
}

function send(response: ServerResponse, { status, text, count }: Answer): void {
  const length = { 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(text) }
  response.writeHead(status, count === undefined ? length : { ...length, [COUNT_HEADER]: count }).end(text)
}

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
