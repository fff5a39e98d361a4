// The connection limit of an address: idle connections are closed in favour of new ones, busy ones are not.
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApplication } from '../../src/app/app.ts'
import type { RunningApplication } from '../../src/app/application.ts'
import type { Observation } from '../../src/observe/observation.ts'
import { call, credentials, SETUP, temporaryFolder } from '../support/process.ts'

const PER_ADDRESS = 5
const LIVE = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n'
const HALF_A_BODY = `POST /v1/attribute-values HTTP/1.1\r\nHost: x\r\nAuthorization: ${credentials}\r\nContent-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n`

describe('connections of one address', () => {
  const folder = temporaryFolder()
  const observed: Observation[] = []
  let service: RunningApplication

  beforeAll(async () => {
    service = await startApplication({
      data: folder.path,
      setup: SETUP,
      basePath: '',
      host: '127.0.0.1',
      port: 0,
      connectionBounds: { all: 2 * PER_ADDRESS, fromAddress: PER_ADDRESS },
      observe: (observation) => observed.push(observation),
      onFatal: () => {},
    })
  })
  afterAll(async () => {
    await service.stop(0)
    folder.remove()
  })

  interface Asked {
    readonly socket: Socket
    /** The text received so far. */
    text: string
    isClosed: boolean
  }

  function ask(request: string): Asked {
    const socket = connect(Number(new URL(service.address).port), '127.0.0.1')
    const asked: Asked = { socket, text: '', isClosed: false }
    socket.on('connect', () => socket.write(request))
    socket.on('data', (chunk) => (asked.text += chunk))
    socket.on('error', () => {})
    socket.on('close', () => (asked.isClosed = true))
    return asked
  }

  const metrics = async () => (await call(`${service.address}/metrics`)).text

  it('give way to a new one where they wait for a request, the oldest first', async () => {
    const idle: Asked[] = []
    for (let count = 0; count < PER_ADDRESS; count++) {
      idle.push(ask(LIVE))
      await expect.poll(() => idle.at(-1)?.text).toContain('{"status":')
    }
    const [one, other] = [ask(LIVE), ask(LIVE)]
    await expect
      .poll(() => [one.text, other.text].map((text) => text.slice(0, 15)))
      .toEqual(Array(2).fill('HTTP/1.1 200 OK'))
    expect(idle.map(({ isClosed }) => isClosed)).toEqual([true, true, false, false, false])
    for (const { socket } of [...idle, one, other]) socket.destroy()
    expect(await metrics()).toMatch(/^http_connections_reclaimed_total [2-9]$/m)
  })

  it('are rejected beyond the limit where each has a request, which log and metrics tell', async () => {
    const busy = Array.from({ length: PER_ADDRESS }, () => ask(HALF_A_BODY))
    await expect.poll(() => busy.filter(({ text }) => text.startsWith('HTTP/1.1 100')).length).toBe(PER_ADDRESS)
    await expect.poll(() => closed(ask(LIVE))).toBe(true)
    expect(busy.map(({ isClosed }) => isClosed)).toEqual(Array(PER_ADDRESS).fill(false))
    for (const { socket } of busy) socket.destroy()
    await expect.poll(metrics).toMatch(/^http_connections_refused_total\{bound="address"\} [1-9]\d*$/m)
    const told = observed.find(({ kind }) => kind === 'connection-refused')
    expect(told).toMatchObject({ address: '127.0.0.1', bound: 'address' })
  })

  /** Whether it is closed without an answer. */
  async function closed(asked: Asked): Promise<boolean> {
    await expect.poll(() => asked.isClosed || asked.text !== '').toBe(true)
    asked.socket.destroy()
    return asked.text === ''
  }
})
