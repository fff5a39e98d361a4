// One service on a data folder, whatever happens to its lock file and to its first process.
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import {
  call,
  credentials,
  inUseLine,
  kill,
  run,
  SETUP,
  type Serving,
  type ServingHere,
  serve,
  serveHere,
  temporaryFolder,
} from '../support/process.ts'
import { firstOf } from '../support/reliability-test.ts'

const VALUES = '/v1/attribute-values'
const folder = { path: '', remove: () => {} }
let service: Serving | undefined
const stopped: number[] = []

afterEach(async () => {
  for (const worker of stopped.splice(0)) if (hasOpenFiles(worker)) process.kill(worker, 'SIGKILL')
  if (service) await kill(service)
  folder.remove()
})

async function started(workers: number): Promise<Serving> {
  Object.assign(folder, temporaryFolder())
  service = await serve(['--data', folder.path, '--setup', SETUP, '--workers', String(workers)])
  return service
}

const body = (attributeValue: string) => ({ attributeId: 'C6', attributeValue, description: 'one service' })

const statusOf = async (service: ServingHere, value: string) =>
  (await call(`${service.address}${VALUES}/C6/${value}/0`)).status

/** The processes that it has started. */
function workersOf({ child }: Serving): number[] {
  const text = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
  return text.split(' ').filter(Boolean).map(Number)
}

/** An ended process has no open file, while it still has its number until its parent asks for it. */
function hasOpenFiles(processId: number): boolean {
  try {
    return readdirSync(`/proc/${processId}/fd`).length > 0
  } catch {
    return false
  }
}

/** A request on a connection that a worker has already answered on. */
async function connected({ address }: Serving): Promise<Socket> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.write(`GET /health/live HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`)
  await new Promise((resolve) => socket.once('data', resolve))
  return socket
}

function send(socket: Socket, value: string): void {
  const text = JSON.stringify(body(value))
  const head = `POST ${VALUES} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${credentials}\r\n`
  socket.write(`${head}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
}

describe('one service on a data folder', () => {
  it.each(firstOf([1, 2]))(
    'refuses a second service while one of %s processes serves whose lock was deleted',
    async (workers) => {
      const service = await started(workers)
      rmSync(join(folder.path, 'instance.lock'))
      const second = () => run(['serve', '--port', '0', '--data', folder.path])
      const first = await second()
      expect([first.code, first.stderr]).toEqual([1, inUseLine(folder.path, service)])
      // It has left a lock file that nobody holds.
      rmSync(join(folder.path, 'instance.pid'))
      const nameless = await second()
      expect([nameless.code, nameless.stderr]).toEqual([
        1,
        inUseLine(folder.path, service).replace(/ \(process \d+\)/, ''),
      ])
      expect((await call(service.address + VALUES, { method: 'POST', body: body('KEPT') })).status).toBe(201)
      await kill(service)
      const next = await serveHere(['--data', folder.path])
      expect(await statusOf(next, 'KEPT')).toBe(200)
      await next.stop()
    },
  )

  it('lets no service begin before the last worker of a killed one is gone, which writes nothing more', async () => {
    const service = await started(2)
    const workers = workersOf(service)
    stopped.push(...workers)
    const socket = await connected(service)
    for (const worker of workers) process.kill(worker, 'SIGSTOP')
    send(socket, 'LATE')
    service.child.kill('SIGKILL')
    await once(service.child, 'exit')
    const tooEarly = await run(['serve', '--port', '0', '--data', folder.path])
    expect([tooEarly.code, tooEarly.stderr]).toEqual([1, inUseLine(folder.path, service)])
    expect(workers.filter(hasOpenFiles)).toEqual(workers)
    for (const worker of workers) process.kill(worker, 'SIGCONT')
    // At once: it waits for them.
    const next = await serveHere(['--data', folder.path])
    expect(workers.filter(hasOpenFiles)).toEqual([])
    expect(await statusOf(next, 'LATE')).toBe(404)
    expect((await call(next.address + VALUES, { method: 'POST', body: body('NEXT') })).status).toBe(201)
    socket.destroy()
    await next.stop()
  })
})
