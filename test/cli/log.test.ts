// The log of the program: a line for each request wherever it is answered, and no request waits for a reader of the log.
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { KeepAliveClient } from '../support/keep-alive-client.ts'
import {
  call,
  credentials,
  kill,
  linesOf,
  listening,
  type Serving,
  type ServingHere,
  serveHere,
  start,
  temporaryFolder,
} from '../support/process.ts'
import { longIt } from '../support/reliability-test.ts'
import { newDatabase } from '../support/test-database.ts'
import { CLIENT_SECRET, FEWER_KINDS } from '../support/world.ts'

const PATH = '/v1/attribute-values/C1/CC100/0'
const SETUP = ['--setup', 'test/fixtures/company.yaml', '--shutdown-grace', '0']

interface Line {
  readonly level: string
  readonly time: string
  readonly msg: string
  readonly [field: string]: unknown
}

const folders: { remove(): void }[] = []
let service: Serving | undefined
afterEach(async () => {
  if (service) await kill(service)
  service = undefined
  for (const folder of folders.splice(0)) folder.remove()
})

/** `before`: shell commands before the program starts. */
async function serving(before?: string): Promise<Serving> {
  const folder = temporaryFolder()
  folders.push(folder)
  const command = ['serve', '--port', '0', '--data', folder.path, ...SETUP]
  service = await listening(start(command, before === undefined ? {} : { before }))
  return service
}

async function servingHere(...args: string[]): Promise<ServingHere> {
  const folder = temporaryFolder()
  folders.push(folder)
  return serveHere(['--data', folder.path, ...SETUP, ...args])
}

const parsed = (log: string) => linesOf(log).map((line) => JSON.parse(line) as Line)
const requestsIn = (log: string) => parsed(log).filter(({ msg }) => msg === 'request')

describe.each(FEWER_KINDS)('the access log on %s', (kind) => {
  it('has a line for each request, also where it is answered from the cache, for tokens, and where it cannot be read', async () => {
    const database = kind === 'postgres' ? ['--database', await newDatabase()] : []
    const serving = await servingHere('--log-level', 'info', ...database)
    const { address } = serving
    const authorization = `Bearer ${await tokenOf(address)}`
    const client = new KeepAliveClient(address, authorization)
    for (let count = 0; count < 20; count++) {
      const headers = { 'x-request-id': `read-${count}`, 'x-forwarded-for': '192.0.2.1' }
      expect((await client.send({ method: 'GET', path: PATH, headers })).status).toBe(200)
    }
    client.close()
    await unreadable(address)
    const { text: metrics } = await call(`${address}/metrics`)
    expect(metrics).toMatch(/^tabularium_answers_repeated_total\{status="200"\} [1-9]/m)
    expect(metrics).toMatch(/^http_requests_total\{method="other",route="unread",status="400"\} 1$/m)
    const lines = requestsIn((await serving.stop()).stderr)
    const reads = lines.filter(({ requestId }) => String(requestId).startsWith('read-'))
    expect(reads.map(({ requestId }) => requestId)).toEqual(Array.from({ length: 20 }, (_, at) => `read-${at}`))
    for (const read of reads) {
      expect(read).toMatchObject({
        level: 'info',
        client: 'integration',
        user: 'svc-integration',
        company: 'EN',
        method: 'GET',
        route: '/v1/attribute-values/:attributeId/*',
        status: 200,
        // Nobody is trusted to name another address.
        address: '127.0.0.1',
      })
      expect(read.bytes).toBeGreaterThan(200)
    }
    expect(lines.find(({ route }) => route === '/oauth/token')).toMatchObject({ client: 'integration', status: 200 })
    expect(lines.find(({ route }) => route === 'unread')).toMatchObject({
      method: 'other',
      status: 400,
      code: 1010,
      reason: 'The request is not valid HTTP/1.1.',
      address: '127.0.0.1',
    })
  })
})

describe('the log', () => {
  it.each([
    [['--log-level', 'warn'], []],
    [
      ['--log-level', 'info'],
      [200, 404],
    ],
  ])('with %j has the requests with status %j', async (args, statuses) => {
    const serving = await servingHere(...args)
    await call(serving.address + PATH)
    await call(`${serving.address}/v1/nothing`)
    expect(requestsIn((await serving.stop()).stderr).map(({ status }) => status)).toEqual(statuses)
  })

  it.runIf(existsSync('/dev/full'))('stops neither the service nor its end when its disk is full', async () => {
    const { address, child, ended } = await serving('exec 2>/dev/full')
    for (let count = 0; count < 30; count++) expect((await call(address + PATH)).status).toBe(200)
    child.kill('SIGTERM')
    expect((await ended).code).toBe(0)
  })

  longIt('makes no request wait for its reader, and tells how many lines were lost meanwhile', async () => {
    const { address, child, ended } = await serving()
    const { stderr } = child
    stderr?.pause()
    const client = new KeepAliveClient(address, credentials)
    const clients = [client, ...Array.from({ length: 15 }, () => new KeepAliveClient(address, credentials))]
    const lost = async () => {
      const { text } = await client.send({ method: 'GET', path: '/metrics' })
      return Number(/^tabularium_log_lines_lost (\d+)$/m.exec(text)?.[1])
    }
    let asked = 0
    while ((await lost()) === 0) {
      for (let round = 0; round < 50; round++) {
        const answers = await Promise.all(clients.map((one) => one.send({ method: 'GET', path: PATH })))
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
        asked += answers.length
      }
    }
    stderr?.resume()
    let log = ''
    stderr?.on('data', (chunk: Buffer) => (log += chunk))
    await expect.poll(() => log, { timeout: 120_000 }).toContain('log-lines-lost')
    for (const one of clients) one.close()
    child.kill('SIGTERM')
    const lines = parsed((await ended).stderr)
    const told = lines.filter(({ msg }) => msg === 'log-lines-lost').reduce((sum, one) => sum + Number(one.lines), 0)
    expect(told).toBeGreaterThan(0)
    expect(lines.filter(({ route }) => String(route).startsWith('/v1')).length).toBeLessThan(asked)
    // No line is lost without being counted.
    const probes = lines.filter(({ route }) => route === '/metrics').length
    expect(lines.filter(({ msg }) => msg === 'request').length + told).toBeGreaterThanOrEqual(asked + probes)
  })
})

async function tokenOf(address: string): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'integration',
    client_secret: CLIENT_SECRET,
  })
  const answer = await fetch(`${address}/oauth/token`, { method: 'POST', body })
  return ((await answer.json()) as { access_token: string }).access_token
}

/** Sends what is no request, and waits for the end of the answer. */
async function unreadable(address: string): Promise<void> {
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  socket.end('nonsense\r\n\r\n')
  socket.resume()
  await new Promise((resolve) => socket.once('close', resolve))
}
