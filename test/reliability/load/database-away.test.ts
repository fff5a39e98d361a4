// PostgreSQL goes away, has no session left, or is slow: callers are told at once, and all is well again as soon as it is back.
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emptyPlace } from '../../support/backup-place.ts'
import { type Ask, Crowd, openLoop, percentile, statusesOf, type Told } from '../../support/open-loop.ts'
import { queryOn } from '../../support/own-database.ts'
import { PostgresServer } from '../../support/postgres.ts'
import { call, kill, SETUP, type Serving, serve, temporaryFolder } from '../../support/process.ts'
import { IS_FULL, reliabilityTest, triesOf } from '../../support/reliability-test.ts'
import { SlowProxy } from '../../support/slow-proxy.ts'
import { STORE_KINDS } from '../../support/world.ts'

const TIMES = triesOf({ short: 1, full: 10 })
const PER_SECOND = 50
const AWAY_MS = 1_000
const LATENCY_MS = 2_000
/** Sessions of the service with the database, at most: those of the pool and one of its own for health. */
const MOST_SESSIONS = 13
const MOST_TOLD_MS = 2_000
const MOST_READY_MS = 3_000
const READY_TIMEOUT_MS = 30_000

describe.runIf(STORE_KINDS.includes('postgres'))('L6 the database is away', () => {
  const folder = temporaryFolder()
  let server: PostgresServer
  let proxy: SlowProxy
  let service: Serving
  let crowd: Crowd
  let database = ''
  let count = 0

  beforeAll(async () => {
    server = await PostgresServer.start()
    const place = await emptyPlace('postgres', join(folder.path, 'data'), server.admin)
    database = place.database ?? ''
    const { hostname: host, port } = new URL(database)
    proxy = await SlowProxy.start({ host, port: Number(port) })
    const throughProxy = database.replace(`:${port}/`, `:${proxy.port}/`)
    service = await serve(['--data', place.data, '--database', throughProxy, '--setup', SETUP])
    crowd = new Crowd(service.address)
    await openLoop(crowd, { perSecond: PER_SECOND, seconds: 1, next })
  }, 120_000)
  afterAll(async () => {
    crowd?.close()
    if (service) await kill(service)
    await proxy?.stop()
    await server?.remove()
    folder.remove()
  })

  const next = (): Ask =>
    count++ % 2 === 0
      ? { method: 'POST', path: '/v1/attribute-values', body: { attributeId: 'C6', attributeValue: `A${count}` } }
      : { method: 'GET', path: '/v1/attribute-values/C1/CC100/0' }

  /** Keeps asking while `trouble` lasts, and until a moment after the service is ready again; gives the answers, and how long that took. */
  async function during(trouble: () => Promise<void>): Promise<{ told: Told[]; readyMs: number }> {
    const told: Told[] = []
    let isOver = false
    const asking = (async () => {
      while (!isOver) told.push(...(await openLoop(crowd, { perSecond: PER_SECOND, seconds: 0.5, next })))
    })()
    await trouble()
    const back = performance.now()
    while (!(await isWell())) {
      if (performance.now() - back > READY_TIMEOUT_MS) throw new Error('the service is not ready again')
    }
    const readyMs = performance.now() - back
    isOver = true
    await asking
    told.push(...(await openLoop(crowd, { perSecond: PER_SECOND, seconds: 0.5, next })))
    return { told, readyMs }
  }

  async function isWell(): Promise<boolean> {
    const [ready, written] = await Promise.all([call(`${service.address}/health/ready`), crowd.send(next())])
    return ready.status === 200 && [200, 201].includes(written.status)
  }

  /** What must hold after each trouble; gives the figures. */
  async function judge(told: readonly Told[], readyMs: readonly number[], mostToldMs: number): Promise<string> {
    expect(new Set(told.map(({ status }) => status))).toEqual(new Set([200, 201, 503]))
    for (const { status, retryAfter } of told) if (status === 503) expect(retryAfter).toMatch(/^\d+$/)
    expect(service.child.exitCode).toBeNull()
    expect(await sessions()).toBeLessThanOrEqual(MOST_SESSIONS)
    const toldMs = percentile(told, 0.99, [503])
    const most = Math.max(...readyMs)
    if (IS_FULL) {
      expect(toldMs).toBeLessThan(mostToldMs)
      expect(most).toBeLessThan(MOST_READY_MS)
    }
    return `503 p99 ${toldMs.toFixed(0)} ms, ready again within ${most.toFixed(0)} ms, ${JSON.stringify(statusesOf(told))}`
  }

  async function sessions(): Promise<number> {
    const name = new URL(database).pathname.slice(1)
    const text = `select count(*)::int as n from pg_stat_activity where datname = '${name}'`
    const [row] = await queryOn(`${server.admin}/postgres`, text)
    return Number(row?.n)
  }

  async function repeated(trouble: () => Promise<void>, mostToldMs = MOST_TOLD_MS): Promise<string> {
    const told: Told[] = []
    const readyMs: number[] = []
    for (let time = 0; time < TIMES; time++) {
      const found = await during(trouble)
      told.push(...found.told)
      readyMs.push(found.readyMs)
    }
    return `${TIMES} times, ${await judge(told, readyMs, mostToldMs)}`
  }

  it(
    'stopped and started again: 503 meanwhile, no restart of the service',
    async () => {
      await reliabilityTest('L6', 'PostgreSQL stopped and started', () =>
        repeated(async () => {
          await server.stopAtOnce()
          await pause(AWAY_MS)
          await server.startAgain()
        }),
      )
    },
    120_000 + TIMES * 30_000,
  )

  it(
    'all sessions held up by a lock: 503 within the wait for a session, and for a lock',
    async () => {
      await reliabilityTest('L6', 'all sessions wait for a lock', () =>
        // Those who hold a session wait for the lock itself, 5 s at most.
        repeated(async () => {
          const holder = new pg.Client({ connectionString: database })
          await holder.connect()
          await holder.query('begin; lock table attribute_value in access exclusive mode')
          await pause(AWAY_MS * 4)
          await holder.query('rollback')
          await holder.end()
        }, MOST_TOLD_MS + 5_000),
      )
    },
    120_000 + TIMES * 30_000,
  )

  it(
    'slow by 2 s: 503 for those who find no session, and well again when it is fast',
    async () => {
      await reliabilityTest('L6', `${LATENCY_MS} ms between the service and PostgreSQL`, () =>
        repeated(async () => {
          proxy.delayMs = LATENCY_MS
          await pause(LATENCY_MS * 2)
          proxy.delayMs = 0
        }, MOST_TOLD_MS + LATENCY_MS),
      )
    },
    120_000 + TIMES * 30_000,
  )
})

const pause = (ms: number) => new Promise<void>((resume) => setTimeout(resume, ms))
