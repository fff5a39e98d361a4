// H5: clients that send a byte a second, in headers or bodies, or do not read their answers are disconnected in time,
// without affecting other clients.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DOCUMENTS } from '../../support/documents.ts'
import {
  closedLoop,
  LoadClient,
  type LoadRequest,
  type LoadResponse,
  openLoop,
  percentile,
  statusesOf,
} from '../../support/open-loop.ts'
import { call, credentials, kill, type Serving, serve, temporaryFolder } from '../../support/process.ts'
import { IS_FULL, reliabilityTest, triesOf } from '../../support/reliability-test.ts'
import { SlowClients } from '../../support/sockets/slow-clients.ts'

const SETUP = 'test/fixtures/documents.yaml'
const NORMAL_CLIENTS = triesOf({ long: 30, full: 200 })
const NORMAL_PER_SECOND = triesOf({ long: 40, full: 200 })
const SECONDS_BEFORE = triesOf({ long: 2, full: 15 })
/** Headers time out after 10 s, checked every five: no run is shorter. */
const SECONDS = Math.max(triesOf({ long: 15, full: 60 }), 15)

const MANY = triesOf({ long: 260, full: 1_500 })
const BODIES = triesOf({ long: 20, full: 420 })
/** This many downloads leave room for others (128 in all). */
const READERS = triesOf({ long: 20, full: 80 })

const PER_ADDRESS = 320
/** The connections arrive over this time. */
const ARRIVAL_MS = 5_000
const MOST_HEADERS_MS = 15_000
const MOST_BODY_MS = 125_000
/** Tolerance for timers on a busy machine. */
const LATE_MS = 2_000
const MOST_TIMES_SLOWER = 2
/** The added latency of 2,000 further bytes a second on a machine with two cores. */
const FLOOR_MS = 100

const KNOCKS = 10

const LARGE_BYTES = 12 * 1024 * 1024
const AUTHORIZED = `Host: x\r\nAuthorization: ${credentials}\r\n`

const ZIPPED_LIST = `GET /v1/attribute-values/C2 HTTP/1.1\r\n${AUTHORIZED}Accept-Encoding: gzip\r\n\r\n`
const MANNERS = {
  headers: { opening: `GET /v1/attribute-values/C1/CC100/0 HTTP/1.1\r\n${AUTHORIZED}X-Slow: `, drip: 'a' },
  body: {
    opening: `POST /v1/attribute-values HTTP/1.1\r\n${AUTHORIZED}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
    drip: ' ',
  },
}

describe('H5 slow clients', () => {
  const folder = temporaryFolder()
  let service: Serving
  let normal: LoadClient

  beforeAll(async () => {
    service = await serve(['--data', folder.path, '--setup', SETUP])
    normal = new LoadClient(service.address)
  })
  afterAll(async () => {
    normal.close()
    await kill(service)
    folder.remove()
  })

  it('H5 slow clients are disconnected in time, without affecting the others', () =>
    reliabilityTest('H5', 'clients who drip and do not read', async () => {
      const id = await largeDocument(service.address)
      if (IS_FULL) await largeList(service.address)
      // Clients from before the attack retain their connections; an attack from enough addresses occupies all others.
      await closedLoop(normal, NORMAL_CLIENTS, 1, () => ask)
      const before = await normalLoad(SECONDS_BEFORE)
      const headers = new SlowClients(service.address, MANNERS.headers)
      const bodies = new SlowClients(service.address, MANNERS.body)
      const opening = `GET ${DOCUMENTS}/${id}/content HTTP/1.1\r\n${AUTHORIZED}\r\n`
      const readers = new SlowClients(service.address, { opening, drip: '' })
      const zipped = new SlowClients(service.address, { opening: ZIPPED_LIST, drip: '' })
      try {
        come(headers, MANY, 50)
        come(bodies, BODIES, 100)
        come(readers, READERS, 150)
        // Only one: each occupies a reader of the database (as many as there are cores) until it is disconnected.
        if (IS_FULL) zipped.add(1, '127.0.0.160')
        const during = await normalLoad(SECONDS)
        const most = Math.max(...headers.ages)
        expect(headers.ages.length).toBeGreaterThan(0)
        expect(Math.max(most, headers.oldest)).toBeLessThan(MOST_HEADERS_MS + LATE_MS)
        expect([...headers.statusLines.keys()]).toEqual(['HTTP/1.1 408 Request Timeout'])
        const [p99Before, p99] = [percentile(before, 0.99), percentile(during, 0.99)]
        const figures = [
          `${headers.ages.length} slow senders of headers closed after at most ${(most / 1000).toFixed(1)} s`,
          `${headers.rejectedConnections} turned away`,
          `${during.length} others' requests, p99 ${p99Before.toFixed(1)} ms before, ${p99.toFixed(1)} ms beside them`,
        ]
        if (!IS_FULL) return figures.join(', ')
        expect(p99, figures.join(', ')).toBeLessThan(Math.max(MOST_TIMES_SLOWER * p99Before, FLOOR_MS))
        headers.close()
        figures.push(await givenUp('bodies', bodies), await givenUp('readers', readers))
        return [...figures, await givenUp('readers of a list', zipped)].join(', ')
      } finally {
        for (const load of [headers, bodies, readers, zipped]) load.close()
      }
    }))

  it('H5 one address has 320 connections and no more', async () => {
    const load = new SlowClients(service.address, MANNERS.headers)
    try {
      load.add(PER_ADDRESS + 50, '127.0.0.200')
      while (load.rejectedConnections < 50 && load.oldest < 5_000) await sleep(50)
      load.stop()
      expect([load.rejectedConnections, load.size]).toEqual([50, PER_ADDRESS])
      expect((await call(`${service.address}/health/live`)).status).toBe(200)
    } finally {
      load.close()
    }
  })

  const ask: LoadRequest = { method: 'GET', path: '/v1/attribute-values/C1/CC100/0' }

  /** The load of normal clients; every answer must be good. */
  async function normalLoad(seconds: number): Promise<LoadResponse[]> {
    const responses = await openLoop(normal, { perSecond: NORMAL_PER_SECOND, seconds, next: () => ask })
    expect(statusesOf(responses)).toEqual({ 200: responses.length })
    return responses
  }
})

/** Connects from as many addresses as necessary. */
function come(load: SlowClients, count: number, firstAddress: number): void {
  for (let at = 0, left = count; left > 0; at++, left -= PER_ADDRESS) {
    load.add(Math.min(left, PER_ADDRESS), `127.0.0.${firstAddress + at}`, ARRIVAL_MS)
  }
}

/** Waits until the open connections have been closed; none reconnects. */
async function givenUp(who: string, load: SlowClients): Promise<string> {
  load.stop()
  while (load.size > 0 && load.oldest < MOST_BODY_MS + LATE_MS) await sleep(500)
  for (let knocks = 0; knocks < KNOCKS && load.size > 0; knocks++) {
    load.knock()
    await sleep(200)
  }
  expect([who, load.size]).toEqual([who, 0])
  expect(load.ages.length, who).toBeGreaterThan(0)
  return `${load.ages.length} slow ${who} closed after at most ${(Math.max(...load.ages) / 1000).toFixed(1)} s`
}

async function largeDocument(address: string): Promise<string> {
  const fileContent = Buffer.alloc(LARGE_BYTES, 'large ').toString('base64')
  const body = { docType: 'NOTE', title: 'Large', fileName: 'large.txt', fileContent }
  const { status, text } = await call(address + DOCUMENTS, { method: 'POST', body })
  expect(status, text.slice(0, 500)).toBe(201)
  return /"id":"([^"]+)"/.exec(text)?.[1] ?? ''
}

/** Larger than the buffers of a connection, even when compressed. */
async function largeList(address: string): Promise<void> {
  for (let at = 0; at < 20; at++) {
    const description = randomBytes(600_000).toString('base64')
    const body = { attributeId: 'C2', attributeValue: `L${at}`, description }
    expect((await call(`${address}/v1/attribute-values`, { method: 'POST', body })).status).toBe(201)
  }
}
