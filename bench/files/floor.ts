// What writing and reading files costs with nothing but `node:http`: a body goes to a file under its hash, synced like the
// service's; a file goes to a socket. No checks, no records, no base64.
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, mkdirSync } from 'node:fs'
import { type FileHandle, open, rename, stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

const [, , folder = ''] = process.argv
mkdirSync(folder, { recursive: true })

const server = createServer((request, response) => {
  const answer = request.method === 'POST' ? write(request, response) : read(request, response)
  answer.catch((error: unknown) => response.writeHead(500).end(String(error)))
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
process.once('SIGINT', () => process.exit(0))

async function write(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const waiting = join(folder, `${randomUUID()}.tmp`)
  const hash = createHash('sha256')
  const file = await open(waiting, 'wx')
  for await (const chunk of request) {
    hash.update(chunk)
    await file.write(chunk)
  }
  await file.sync()
  await file.close()
  const name = hash.digest('hex')
  await rename(waiting, join(folder, name))
  await synced(await open(folder))
  response.writeHead(201).end(name)
}

async function synced(handle: FileHandle): Promise<void> {
  await handle.sync()
  await handle.close()
}

async function read(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const file = join(folder, (request.url ?? '').replaceAll('/', ''))
  response.writeHead(200, { 'content-length': (await stat(file)).size })
  await pipeline(createReadStream(file, { highWaterMark: 256 * 1024 }), response)
}
