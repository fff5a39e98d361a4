// L7: bursts beyond normal use. Idle connections do not lock out others and cost little memory, and concurrent large
// uploads are all accepted, in bounded memory, while health answers.
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DOCUMENTS } from '../../support/documents.ts'
import { call, kill, type Serving, serve, temporaryFolder } from '../../support/process.ts'
import { reliabilityTest, triesOf } from '../../support/reliability-test.ts'
import { sendFile } from '../durability/document-client.ts'

const IDLE = triesOf({ long: 2_200, full: 10_000 })
const UPLOADS = triesOf({ long: 4, full: 32 })
const UPLOAD_BYTES = triesOf({ long: 4, full: 50 }) * 1024 * 1024 - 1024
const MOST_CONNECTIONS = 2_000
const PER_ADDRESS = 190
const MOST_MEMORY_MIB = 450
const VALUE = '/v1/attribute-values/C1/CC100/0'

describe('L7 bursts', () => {
  const folder = temporaryFolder()
  let service: Serving

  beforeAll(async () => {
    service = await serve(['--data', folder.path, '--setup', 'test/fixtures/documents.yaml'])
  })
  afterAll(async () => {
    await kill(service)
    folder.remove()
  })

  const memoryMib = () => {
    const [, kib] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${service.child.pid}/status`, 'utf8')) ?? []
    return Math.round(Number(kib) / 1024)
  }
  const descriptors = () => readdirSync(`/proc/${service.child.pid}/fd`).length

  it('L7 idle connections lock nobody out', () =>
    reliabilityTest('L7', 'idle connections', async () => {
      const load: Socket[] = []
      try {
        for (let count = 0; count < IDLE; count++)
          load.push(await idle(`127.0.0.${2 + Math.floor(count / PER_ADDRESS)}`))
        for (let asked = 0; asked < 20; asked++)
          expect(await call(service.address + VALUE)).toMatchObject({ status: 200 })
        await expect.poll(() => load.filter((socket) => !socket.destroyed).length).toBeLessThan(MOST_CONNECTIONS)
        expect(descriptors()).toBeLessThan(MOST_CONNECTIONS + 100)
        expect(memoryMib()).toBeLessThan(MOST_MEMORY_MIB)
        return `${IDLE} connections from ${Math.ceil(IDLE / PER_ADDRESS)} addresses, at most ${memoryMib()} MiB`
      } finally {
        for (const socket of load) socket.destroy()
      }
    }))

  /** A connection that has sent one request and stays idle. */
  function idle(localAddress: string): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port: Number(new URL(service.address).port), localAddress })
      socket.on('error', reject)
      socket.once('connect', () => socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n'))
      socket.once('data', () => {
        socket.off('error', reject).on('error', () => {})
        resolve(socket)
      })
    })
  }

  it('L7 concurrent large uploads are all accepted', { timeout: 600_000 }, () =>
    reliabilityTest('L7', 'large uploads at once', async () => {
      let isOver = false
      const health = (async () => {
        for (; !isOver; await sleep(200))
          expect(await call(`${service.address}/health/live`)).toMatchObject({ status: 200 })
      })()
      const statuses = await Promise.all(
        Array.from({ length: UPLOADS }, async (_, number) => {
          const fields = { docType: 'NOTE', title: `Large ${number}`, fileName: 'large.bin' }
          return (await sendFile(service.address + DOCUMENTS, fields, randomBytes(UPLOAD_BYTES))).status
        }),
      )
      isOver = true
      await health
      expect(statuses).toEqual(Array(UPLOADS).fill(201))
      expect(memoryMib()).toBeLessThan(MOST_MEMORY_MIB)
      return `${UPLOADS} of ${Math.round(UPLOAD_BYTES / 1024 / 1024)} MiB, at most ${memoryMib()} MiB of memory`
    }),
  )
})
