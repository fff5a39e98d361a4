// Callers of commands that read nothing, send nothing more, or vanish: a command ends with its caller, and the service
// stops whatever its commands do.
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { AdministrationServer } from '../../../src/administration/administration-server.ts'
import { serviceAt } from '../../../src/administration/client.ts'
import { type Folder, temporaryFolder } from '../../support/process.ts'

const BOUNDARY = 'a-boundary'
const TYPE = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
/** Prints without an end, and ends at a signal late or not at all; or writes a file of 32 MiB. */
const PROGRAM = `
  const [what] = process.argv.slice(2)
  if (what === 'stubborn') process.on('SIGTERM', () => {})
  const print = () => { while (process.stdout.write('x'.repeat(65536))); process.stdout.once('drain', print) }
  if (what === 'file') require('node:fs').writeFileSync('written', Buffer.alloc(32 * 1024 * 1024))
  else print()`

let folder: Folder
let server: AdministrationServer
let program: string | undefined
const asked: ClientRequest[] = []

beforeAll(() => {
  program = process.argv[1]
})
beforeEach(async () => {
  folder = temporaryFolder()
  const file = join(folder.path, 'program.cjs')
  writeFileSync(file, PROGRAM)
  process.argv[1] = file
  server = await AdministrationServer.start({
    data: folder.path,
    database: undefined,
    settings: {},
    onCommand: () => {},
  })
})
afterEach(async () => {
  for (const request of asked.splice(0)) request.destroy()
  await server.stop()
  folder.remove()
})
afterAll(() => {
  process.argv[1] = program ?? ''
})

const running = () => readdirSync(join(folder.path, 'commands'))

/** Sends a command, whole or not, and reads nothing. */
function send(args: readonly string[], isWhole = true): ClientRequest {
  const request = serviceAt(folder.path).request('POST', TYPE)
  request.on('error', () => {})
  asked.push(request)
  const field = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="command"\r\n\r\n${JSON.stringify({ args })}\r\n`
  request.write(field)
  if (isWhole) request.end(`--${BOUNDARY}--\r\n`)
  else {
    const name = 'content-disposition: form-data; name="file"; filename="input.csv"\r\ncontent-type: text/csv\r\n\r\n'
    request.write(`--${BOUNDARY}\r\n${name}a,b\n`)
  }
  return request
}

/** Resolves when the command has begun to answer; its answer is not read. */
async function answered(request: ClientRequest): Promise<void> {
  const [response] = (await new Promise((resolve) => {
    request.once('response', (...one) => resolve(one))
  })) as [IncomingMessage]
  response.on('error', () => {})
  response.pause()
  // More than fits into the buffers is waiting then.
  await new Promise((resolve) => response.once('readable', resolve))
}

const KINDS = [['prints'], ['stubborn'], ['file']]

it.each(KINDS)('a command that %s ends with a caller that reads nothing and vanishes', async (what) => {
  for (let times = 0; times < 4; times++) {
    const request = send([what ?? ''])
    await answered(request)
    request.destroy()
  }
  await expect.poll(running, { timeout: 30_000 }).toEqual([])
})

it.each(KINDS)('the service stops while a command that %s has a caller that reads nothing', async (what) => {
  await answered(send([what ?? '']))
  await server.stop()
  expect(running()).toEqual([])
})

it('a caller that sends nothing more holds nothing up, and leaves nothing when it vanishes', async () => {
  const vanishing = send(['import'], false)
  send(['import'], false)
  await expect.poll(running).toHaveLength(2)
  vanishing.destroy()
  await expect.poll(running).toHaveLength(1)
  await server.stop()
  expect(running()).toEqual([])
  expect(existsSync(join(folder.path, 'service.sock'))).toBe(false)
})
