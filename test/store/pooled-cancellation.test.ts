// Behind a pooler of transactions a session of the database serves one client after the other: a query that nobody
// waits for is cancelled, and never the one that has its session afterwards.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { openStore } from '../../src/databases/open/open-store.ts'
import type { Snapshot, Store } from '../../src/store/store.ts'
import { connectToPostgres, type DirectConnection } from '../support/direct-connection.ts'
import { asSuperuser, newDatabase, queryOn } from '../support/test-database.ts'
import { textQuery } from '../support/text-query.ts'
import { SESSIONS, TransactionPooler } from '../support/transaction-pooler.ts'
import { STORE_KINDS } from '../support/world.ts'

const COMPANY = 'EN'
const QUICKLY = { interval: 5, timeout: 120_000 }
/** Longer than any test: only the test of the limit itself meets one. */
const NO_LIMIT_MS = 600_000
/** Locks that the test holds: what waits for them ends when the test says so. */
const QUERY = 1
const CANCELLATION = 2
const waitFor = (lock: number) => `pg_advisory_xact_lock_shared(${lock})`
/** Is answered when the test releases the lock. */
const DONE = `select 'done' || substr(${waitFor(QUERY)}::text, 1, 0)`
/** The database takes a while to cancel a statement, which may have ended by then. */
const SLOW_CANCELLATION = `
  create function public.pg_cancel_backend(pid integer) returns boolean language plpgsql as $$
  begin
    perform ${waitFor(CANCELLATION)};
    return pg_catalog.pg_cancel_backend(pid);
  end $$`

describe.runIf(STORE_KINDS.includes('postgres'))('A query behind a pooler of transactions', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tabularium-pooled-'))
  const settings = { data: folder, clock: () => new Date(), observe: () => {}, onFatal: () => {} }
  let url = ''
  let pooler: TransactionPooler
  let store: Store
  /** A session of its own, which holds locks. */
  let locks: DirectConnection
  const hold = (lock: number) => locks.query(`select pg_advisory_lock(${lock})`)
  const release = (lock: number) => locks.query(`select pg_advisory_unlock(${lock})`)
  const open = (queryTimeoutMs = NO_LIMIT_MS) => {
    const database = Object.assign(new URL(url), { port: String(pooler.port) }).href
    return openStore({ ...settings, database, isPooled: true, queryTimeoutMs })
  }

  beforeAll(async () => {
    url = await newDatabase()
    const direct = await openStore({ ...settings, database: url })
    await direct.close()
    pooler = await TransactionPooler.start(inject('postgresAdmin'))
    store = await open()
    locks = connectToPostgres(asSuperuser(url))
  })
  afterAll(async () => {
    await locks.close()
    await store.close()
    await pooler.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const outcomeOf = (answer: Promise<Snapshot<unknown>>) =>
    answer.then(
      ({ content }) => content,
      (error: Error) => error.message,
    )
  const ask = (text: string, asked = store) => outcomeOf(asked.collect(COMPANY, textQuery(text)))
  /** How often a text is being asked now. */
  const running = async (text: string) => {
    const found = `select count(*)::int as count from pg_stat_activity where state = 'active' and pid <> pg_backend_pid()
      and strpos(query, '${text.replaceAll("'", "''")}') > 0`
    return (await queryOn(asSuperuser(url), found))[0]?.count
  }
  /** A query of each store that is under way in the database, and how their callers go away. */
  const begin = async (text: string, { stores = [store], format = 'json' as 'json' | 'ndjson' } = {}) => {
    const stops: (() => void)[] = []
    const outcomes = stores.map((one) =>
      outcomeOf(
        one.collect(
          COMPANY,
          textQuery(text, (stop) => stops.push(stop), format),
        ),
      ),
    )
    // A streamed one is shown as a fetch.
    await expect.poll(() => running(format === 'json' ? text : 'from answer'), QUICKLY).toBe(stores.length)
    const leave = () => {
      for (const stop of stops) stop()
    }
    return { outcomes, leave }
  }
  /** Asks in more connections than the pooler has sessions, without a pause, until it is told to stop. */
  const askOn = () => {
    const others = { isOver: false, outcomes: [] as unknown[] }
    const one = async () => {
      while (!others.isOver) others.outcomes.push(await ask("select 'served' || substr(pg_sleep(0.02)::text, 1, 0)"))
    }
    const all = Promise.all(Array.from({ length: SESSIONS + 2 }, one))
    /** After each session has served somebody since. */
    return async () => {
      const { length } = others.outcomes
      await expect.poll(() => others.outcomes.length, QUICKLY).toBeGreaterThan(length + 2 * SESSIONS)
      others.isOver = true
      await all
      return others.outcomes
    }
  }

  it.each(['json', 'ndjson'] as const)(
    'is cancelled in the database when its caller goes away, while others are served in all sessions: %s',
    async (format) => {
      const { outcomes, leave } = await begin('select pg_sleep(250)::text', { format })
      const stop = askOn()
      leave()
      expect(await Promise.all(outcomes)).toEqual(['Nobody waits for the answer.'])
      await expect
        .poll(async () => [await running('pg_sleep(250)'), await running('from answer')], QUICKLY)
        .toEqual([0, 0])
      const others = await stop()
      expect(new Set(others)).toEqual(new Set(['served']))
    },
  )

  it('is cancelled in the database when it takes too long', async () => {
    const limited = await open(1_000)
    try {
      expect(await ask('select pg_sleep(260)::text', limited)).toContain('The query took longer than 1 s')
      await expect.poll(() => running('pg_sleep(260)'), QUICKLY).toBe(0)
    } finally {
      await limited.close()
    }
  })

  it('that ends before its cancellation comes keeps its session until then: nobody else is cancelled', async () => {
    const role = new URL(url).username
    await queryOn(asSuperuser(url), SLOW_CANCELLATION, `alter role "${role}" set search_path = public, pg_catalog`)
    await store.close()
    await pooler.stop()
    pooler = await TransactionPooler.start(inject('postgresAdmin'))
    store = await open()
    try {
      await hold(QUERY)
      await hold(CANCELLATION)
      const { outcomes, leave } = await begin(DONE)
      leave()
      await expect.poll(() => running('pg_cancel_backend'), QUICKLY).toBe(1)
      const stop = askOn()
      await release(QUERY)
      await expect.poll(() => running(DONE), QUICKLY).toBe(0)
      await release(CANCELLATION)
      expect(await Promise.all(outcomes)).toEqual(['done'])
      expect(new Set(await stop())).toEqual(new Set(['served']))
    } finally {
      await locks.query('select pg_advisory_unlock_all()')
      await queryOn(
        asSuperuser(url),
        'drop function public.pg_cancel_backend',
        `alter role "${role}" reset search_path`,
      )
    }
  })

  it('gives its session back when it ends, although no process gets one to cancel it', async () => {
    const others = await Promise.all(Array.from({ length: SESSIONS }, () => open()))
    try {
      await hold(QUERY)
      const { outcomes, leave } = await begin(DONE, { stores: others })
      leave()
      const after = ask("select 'after'")
      await release(QUERY)
      expect(await after).toBe('after')
      const ended = await Promise.all(outcomes)
      expect(ended).toContain('done')
      // The first one that ends gives its session to the cancellation of another, which may still run.
      expect(ended.filter((outcome) => !['done', 'Nobody waits for the answer.'].includes(String(outcome)))).toEqual([])
      expect([...pooler.violations]).toEqual([])
    } finally {
      await locks.query('select pg_advisory_unlock_all()')
      await Promise.all(others.map((other) => other.close()))
    }
  })
})
