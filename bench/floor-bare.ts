// The bare floor: node:http and SQLite, nothing else.
import { createServer } from 'node:http'
import { floorArguments, openFloor } from './floor.ts'

const { file, shared } = floorArguments()
const floor = openFloor(file, shared)

const server = createServer((request, response) => {
  const answer = (status: number, text: string) => {
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    response.end(text)
  }
  const url = request.url ?? ''
  if (url.startsWith('/v1/objects/')) {
    if (request.headers.accept === 'application/x-ndjson') floor.exported(url, response)
    else answer(200, floor.document(url))
    return
  }
  if (url.startsWith('/v1/customers/')) {
    answer(200, floor.customer(url.slice('/v1/customers/'.length)))
    return
  }
  if (request.method === 'GET') {
    const query = url.indexOf('?')
    answer(200, query < 0 ? floor.single(url.split('/')[4] ?? '') : floor.collection(url.slice(query + 1)))
    return
  }
  const chunks: Buffer[] = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString()
    if (request.method === 'POST') floor.create(body).then((text) => answer(201, text))
    else floor.patch(url.split('/')[4] ?? '', body).then((text) => answer(200, text))
  })
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as { port: number }
  process.stdout.write(`listening on http://127.0.0.1:${port}\n`)
})
