// L6: PostgreSQL is down, out of sessions, or slow: callers get an error at once, and the service recovers by itself.
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emptyLocation } from '../../support/data-location.ts'
import {
  LoadClient,
  type LoadRequest,
  type LoadResponse,
  openLoop,
  percentile,
  statusesOf,
} from '../../support/open-loop.ts'
import { PostgresServer } from '../../support/postgres.ts'
import { call, kill, SETUP, type Serving, serve, temporaryFolder } from '../../support/process.ts'
import { IS_FULL, reliabilityTest, triesOf } from '../../support/reliability-test.ts'
import { SlowProxy } from '../../support/slow-proxy.ts'
import { queryOn } from '../../support/test-database.ts'
import { STORE_KINDS } from '../../support/world.ts'

const TIMES = triesOf({ long: 1, full: 10 })
const PER_SECOND = 50
const LATENCY_MS = 2_000
const PROBE_EACH_MS = 100
/** The maximum number of the service's sessions: the pool, and one for health. */
const MOST_SESSIONS = 13
const MOST_REJECTED_MS = 2_000
const MOST_READY_MS = 3_000
const READY_TIMEOUT_MS = 180_000

/** Makes the database unavailable until a request was refused. */
type Trouble = (untilRefused: () => Promise<void>) => Promise<void>

describe.runIf(STORE_KINDS.includes('postgres'))('L6 the database is unavailable', () => {
  const folder = temporaryFolder()
  let server: PostgresServer
  let proxy: SlowProxy
  let service: Serving
  let load: LoadClient
  let database = ''
  let count = 0

  beforeAll(async () => {
    server = await PostgresServer.start()
    const place = await emptyLocation('postgres', join(folder.path, 'data'), server.admin)
    database = place.database ?? ''
    const { hostname: host, port } = new URL(database)
    proxy = await SlowProxy.start({ host, port: Number(port) })
    const throughProxy = database.replace(`:${port}/`, `:${proxy.port}/`)
    service = await serve(['--data', place.data, '--database', throughProxy, '--setup', SETUP])
    load = new LoadClient(service.address)
    await openLoop(load, { perSecond: PER_SECOND, seconds: 1, next })
  })
  afterAll(async () => {
    load?.close()
    if (service) await kill(service)
    await proxy?.stop()
    await server?.remove()
    folder.remove()
  })

  /** Each read is another one: the response cache would answer it without the database. */
  const next = (): LoadRequest =>
    count++ % 2 === 0
      ? { method: 'POST', path: '/v1/attribute-values', body: { attributeId: 'C6', attributeValue: `A${count}` } }
      : {
          method: 'GET',
          path: `/v1/objects/attribute-values?filter=${encodeURIComponent(`attributeValue ne 'A${count}'`)}&top=1`,
        }

  /**
   * Sends requests during `trouble` and until shortly after the service is ready again; returns the answers and the
   * recovery time.
   */
  async function during(trouble: Trouble): Promise<{ responses: LoadResponse[]; readyMs: number }> {
    const responses: LoadResponse[] = []
    let isOver = false
    /** Until one of further requests is refused. */
    const untilRefused = async () => {
      let isRefused = false
      while (!isRefused) {
        load.send(next()).then((response) => {
          responses.push(response)
          isRefused ||= response.status === 503
        })
        await pause(PROBE_EACH_MS)
      }
    }
    const asking = (async () => {
      while (!isOver) responses.push(...(await openLoop(load, { perSecond: PER_SECOND, seconds: 0.5, next })))
    })()
    await trouble(untilRefused)
    const back = performance.now()
    while (!(await isWell())) {
      if (performance.now() - back > READY_TIMEOUT_MS) throw new Error('the service is not ready again')
    }
    const readyMs = performance.now() - back
    isOver = true
    await asking
    responses.push(...(await openLoop(load, { perSecond: PER_SECOND, seconds: 0.5, next })))
    return { responses, readyMs }
  }

  async function isWell(): Promise<boolean> {
    const [ready, written] = await Promise.all([call(`${service.address}/health/ready`), load.send(next())])
    return ready.status === 200 && [200, 201].includes(written.status)
  }

  /** The checks after each outage; returns the measurements. */
  async function judge(
    responses: readonly LoadResponse[],
    readyMs: readonly number[],
    mostRejectedMs: number,
  ): Promise<string> {
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 201, 503]))
    for (const { status, retryAfter } of responses) if (status === 503) expect(retryAfter).toMatch(/^\d+$/)
    expect(service.child.exitCode).toBeNull()
    expect(await sessions()).toBeLessThanOrEqual(MOST_SESSIONS)
    const rejectedMs = percentile(responses, 0.99, [503])
    const most = Math.max(...readyMs)
    if (IS_FULL) {
      expect(rejectedMs).toBeLessThan(mostRejectedMs)
      expect(most).toBeLessThan(MOST_READY_MS)
    }
    return `503 p99 ${rejectedMs.toFixed(0)} ms, ready again within ${most.toFixed(0)} ms, ${JSON.stringify(statusesOf(responses))}`
  }

  async function sessions(): Promise<number> {
    const name = new URL(database).pathname.slice(1)
    const text = `select count(*)::int as n from pg_stat_activity where datname = '${name}'`
    const [row] = await queryOn(`${server.admin}/postgres`, text)
    return Number(row?.n)
  }

  async function repeated(trouble: Trouble, mostRejectedMs = MOST_REJECTED_MS): Promise<string> {
    const responses: LoadResponse[] = []
    const readyMs: number[] = []
    for (let time = 0; time < TIMES; time++) {
      const found = await during(trouble)
      responses.push(...found.responses)
      readyMs.push(found.readyMs)
    }
    return `${TIMES} times, ${await judge(responses, readyMs, mostRejectedMs)}`
  }

  it(
    'stopped and started again: 503 meanwhile, no restart of the service',
    async () => {
      await reliabilityTest('L6', 'PostgreSQL stopped and started', () =>
        repeated(async (untilRefused) => {
          await server.stopAtOnce()
          await untilRefused()
          await server.startAgain()
        }),
      )
    },
    600_000 + TIMES * 30_000,
  )

  it(
    'all sessions blocked by a lock: 503 within the wait for a session, and for a lock',
    async () => {
      await reliabilityTest('L6', 'all sessions wait for a lock', () =>
        // Requests that hold a session wait for the lock itself, 5 s at most.
        repeated(async (untilRefused) => {
          const holder = new pg.Client({ connectionString: database })
          await holder.connect()
          await holder.query('begin; lock table attribute_value in access exclusive mode')
          await untilRefused()
          await holder.query('rollback')
          await holder.end()
        }, MOST_REJECTED_MS + 5_000),
      )
    },
    600_000 + TIMES * 30_000,
  )

  it(
    'slow by 2 s: 503 for requests without a session, and recovery when it is fast',
    async () => {
      await reliabilityTest('L6', `${LATENCY_MS} ms between the service and PostgreSQL`, () =>
        repeated(async (untilRefused) => {
          proxy.delayMs = LATENCY_MS
          await untilRefused()
          proxy.delayMs = 0
        }, MOST_REJECTED_MS + LATENCY_MS),
      )
    },
    600_000 + TIMES * 30_000,
  )
})

const pause = (ms: number) => new Promise<void>((resume) => setTimeout(resume, ms))
