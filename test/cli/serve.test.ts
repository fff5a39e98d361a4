// `serve` as a process: its address, its variables, and how it ends.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  call,
  credentials,
  type Folder,
  integrityOf,
  kill,
  listening,
  run,
  SETUP,
  type Serving,
  serve,
  serveHere,
  start,
  temporaryFolder,
} from '../support/process.ts'
import { longIt } from '../support/reliability-test.ts'
import { eventually } from '../support/uploads.ts'

let folder: Folder
let service: Serving | undefined
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(async () => {
  if (service) await kill(service)
  service = undefined
  folder.remove()
})

const data = () => ['--data', folder.path, '--setup', SETUP]
const VALUE = '/v1/attribute-values/C1/CC100/0'

describe('serve', () => {
  it('prints its address, by default on 127.0.0.1, in one line on standard output, logs JSON lines on standard error, and ends at once on SIGINT with exit code 0, whatever the grace', async () => {
    service = await serve([...data(), '--log-level', 'info', '--shutdown-grace', '600'])
    expect((await call(service.address + VALUE)).status).toBe(200)
    service.child.kill('SIGINT')
    // The timeout of the test is the limit, long before that of the grace.
    const { code, signal, stdout, stderr } = await service.ended
    expect([code, signal]).toEqual([0, null])
    expect(stdout).toBe(`listening on ${service.address}\n`)
    expect(stdout).toMatch(/^listening on http:\/\/127\.0\.0\.1:\d+\n$/)
    for (const line of stderr.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ time: expect.any(String) })
  })

  it('takes its settings from variables, before which a flag wins', async () => {
    const environment = {
      TABULARIUM_PORT: '0',
      TABULARIUM_BASE_PATH: '/web-api/',
      TABULARIUM_DATA: folder.path,
      TABULARIUM_SETUP: SETUP,
      TABULARIUM_LOG_LEVEL: 'silent',
      TABULARIUM_SHUTDOWN_GRACE: '600',
    }
    service = await listening(start(['serve', '--shutdown-grace', '0'], { environment }))
    expect(service.address).toMatch(/:\d+\/web-api$/)
    expect((await call(service.address + VALUE)).status).toBe(200)
    expect((await call(service.address.replace('/web-api', '') + VALUE)).status).toBe(404)
    expect((await call(`${service.address}/health/ready`)).status).toBe(200)
    service.child.kill('SIGTERM')
    expect(await service.ended).toMatchObject({ code: 0, stderr: '' })
  })

  it('says in one line that its port is taken, and leaves the folder free', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const other = temporaryFolder()
    try {
      const port = String((taken.address() as AddressInfo).port)
      const args = ['serve', '--port', port, '--data', other.path, '--log-level', 'warn']
      const { code, stdout, stderr } = await run(args)
      expect({ code, stdout, stderr }).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(new RegExp(`^tabularium: .*${port}.*\\n$`)),
      })
      const free = await serveHere(['--data', other.path])
      await free.stop()
    } finally {
      taken.close()
      other.remove()
    }
  })
})

describe('on SIGTERM the service', () => {
  it('is no longer ready, serves during the grace, and ends with exit code 0', async () => {
    service = await serve([...data(), '--shutdown-grace', '60'])
    expect((await call(`${service.address}/health/ready`)).status).toBe(200)
    service.child.kill('SIGTERM')
    const ready = await untilNotReady(service.address)
    expect(ready).toMatchObject({ status: 503 })
    expect(Number(ready.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await call(`${service.address}/health/live`)).status).toBe(200)
    const value = await call(service.address + VALUE)
    expect({ status: value.status, connection: value.headers.get('connection') }).toEqual({
      status: 200,
      connection: 'close',
    })
    // The second one ends the grace.
    service.child.kill('SIGTERM')
    expect(await service.ended).toMatchObject({ code: 0, signal: null, stderr: '' })
    expect(integrityOf(folder.path)).toBe('ok')
  })

  for (const [declare, workers] of [
    [it, '1'],
    [longIt, '2'],
  ] as const)
    declare(`ends with exit code 0 while it starts, too, with ${workers} processes`, async () => {
      const flags = ['--port', '0', '--workers', workers, '--log-level', 'info', '--shutdown-grace', '0']
      const { child, ended } = start(['serve', ...data(), ...flags])
      // It tells of its setup before it listens.
      if (child.stderr) await once(child.stderr, 'data')
      child.kill('SIGTERM')
      expect(await ended).toMatchObject({ code: 0, signal: null })
    })

  longIt('answers a request that is still being sent, and waits for no connection on which nothing comes', async () => {
    service = await serve([...data(), '--shutdown-grace', '0'])
    const body = JSON.stringify({ attributeId: 'C1', attributeValue: 'LATE' })
    // Its secret is known then: the body is all that is waited for.
    await call(service.address + VALUE)
    const idle = connect(Number(new URL(service.address).port), '127.0.0.1').on('error', () => {})
    await once(idle, 'connect')
    const half = await openHalf(service.address, body)
    service.child.kill('SIGTERM')
    // The signal has arrived: new connections are refused.
    await eventually(() =>
      fetch(service!.address).then(
        () => false,
        () => true,
      ),
    )
    expect(await half.finish()).toMatch(/^HTTP\/1\.1 201 /)
    // The timeout of the test is the limit.
    expect(await service.ended).toMatchObject({ code: 0, signal: null })
    idle.destroy()

    const again = await serveHere(data())
    expect((await call(`${again.address}/v1/attribute-values/C1/LATE/0`)).status).toBe(200)
    await again.stop()
  })

  longIt('loses nothing of parallel writes that it acknowledged', async () => {
    service = await serve([...data(), '--shutdown-grace', '0'])
    const { address, child, ended } = service
    const acknowledged: string[] = []
    const refused: string[] = []
    const clients = Array.from({ length: 8 }, async (_, id) => {
      for (let count = 0; ; count++) {
        const name = `T${id}N${count}`
        try {
          const body = { attributeId: 'C1', attributeValue: name }
          const { status } = await call(`${address}/v1/attribute-values`, { method: 'POST', body })
          if (status === 201) acknowledged.push(name)
          else return refused.push(String(status))
        } catch {
          return
        }
      }
    })
    await eventually(() => acknowledged.length >= 20)
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0 })
    await Promise.all(clients)
    expect(new Set(refused)).toEqual(new Set(refused.length > 0 ? ['503'] : []))

    const again = await serveHere(data())
    const missing: string[] = []
    for (const name of acknowledged) {
      if ((await call(`${again.address}/v1/attribute-values/C1/${name}/0`)).status !== 200) missing.push(name)
    }
    await again.stop()
    expect(missing).toEqual([])
    expect(acknowledged.length).toBeGreaterThan(0)
  })
})

it('a grace period that has started is ended by SIGINT', async () => {
  service = await serve([...data(), '--shutdown-grace', '600'])
  service.child.kill('SIGTERM')
  await untilNotReady(service.address)
  service.child.kill('SIGINT')
  expect(await service.ended).toMatchObject({ code: 0, signal: null, stderr: '' })
})

async function untilNotReady(address: string) {
  for (let tries = 0; ; tries++) {
    const answer = await call(`${address}/health/ready`)
    if (answer.status !== 200 || tries > 5_000) return answer
    await new Promise((resume) => setTimeout(resume, 5))
  }
}

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'

/** A POST whose head and half of the body the service has received. */
async function openHalf(address: string, body: string): Promise<{ finish(): Promise<string> }> {
  const { hostname, port } = new URL(address)
  const socket: Socket = connect(Number(port), hostname)
  let answer = ''
  socket.on('data', (chunk) => (answer += chunk))
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('error', () => {})
  await new Promise((resume) => socket.once('connect', resume))
  const head = [
    'POST /v1/attribute-values HTTP/1.1',
    `host: ${hostname}:${port}`,
    `authorization: ${credentials}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    'expect: 100-continue',
    '',
    '',
  ].join('\r\n')
  socket.write(head)
  // The service sends 100 Continue once it has the head.
  await eventually(() => answer === CONTINUE)
  socket.write(body.slice(0, 10))
  return {
    finish: async () => {
      socket.write(body.slice(10))
      await closed
      return answer.slice(CONTINUE.length)
    },
  }
}
