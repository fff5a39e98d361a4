// Sessions with PostgreSQL: abandoned queries are cancelled, a bounded number of queries stays prepared, and writes may
// share a transaction without sharing their outcome.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '../../src/databases/open/open-store.ts'
import { openReadOnlyDatabase } from '../../src/databases/postgres/open-read-only.ts'
import { openMigrationPool } from '../../src/databases/postgres/sessions/pools.ts'
import { inSnapshot, withSession } from '../../src/databases/postgres/sessions/reading-session.ts'
import { statement } from '../../src/sql/statement.ts'
import { readCounter } from '../../src/store/journal/journal.ts'
import { putAttribute } from '../../src/store/service-state/setup-store.ts'
import type { Actor, Store } from '../../src/store/store.ts'
import { asSuperuser, newDatabase, queryOn } from '../support/test-database.ts'
import { textQuery } from '../support/text-query.ts'
import { STORE_KINDS } from '../support/world.ts'

const ACTOR: Actor = { userId: 'tester', clientId: 'tests', requestId: 'r1' }
const COMPANY = 'EN'

/** A part of a record: a list in an order that no index has. */
const explained = statement<{ companyId: string }, { 'QUERY PLAN': string }>(
  'explained_for_tests',
  (_db, p) => sql`explain select attribute_id, (select json_agg(listed.name) from (
    select name from attribute a where a.company_id = m.company_id order by a.description, a.name) listed)
    from attribute m where company_id = ${p('companyId')} order by attribute_id limit 1`,
)
const idle = statement<Record<never, never>, { limit: string }>(
  'idle_for_tests',
  () => sql`select current_setting('idle_in_transaction_session_timeout') as "limit"`,
)
const jit = statement<Record<never, never>, { jit: string }>('jit_for_tests', () => sql`show jit`)

/** Fails for 0. */
const numbered = statement<{ no: number }, { company: string; no: number }>(
  'numbered_for_tests',
  (_db, p) =>
    sql`select current_setting('tabularium.bound_company') as company, ${p('no')}::int / sign(${p('no')}::int)::int as no`,
)

const broken = statement<{ companyId: string }>(
  'broken_for_tests',
  (_db, p) => sql`update attribute set name = name || (1 / 0)::text where company_id = ${p('companyId')}`,
)

describe.runIf(STORE_KINDS.includes('postgres'))('Sessions with PostgreSQL', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tabularium-sessions-'))
  let url = ''
  let settings: Parameters<typeof openStore>[0]
  let store: Store
  beforeAll(async () => {
    url = await newDatabase()
    settings = { data: folder, database: url, clock: () => new Date(), observe: () => {}, onFatal: () => {} }
    store = await openStore(settings)
    await store.writeSetup(ACTOR, async (setup) => {
      await setup.in(COMPANY)
    })
  })
  afterAll(async () => {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const ask = async (text: string) => (await store.collect(COMPANY, textQuery(text))).content
  const asleep = () =>
    queryOn(
      asSuperuser(url),
      `select 1 from pg_stat_activity where state = 'active' and query like '%pg_sleep(25)%'
      and pid <> pg_backend_pid()`,
    )

  it('compile no plan, in a service and beside it', async () => {
    const pooled = await openStore({ ...settings, isPooled: true })
    for (const one of [store, pooled]) {
      expect((await one.collect(COMPANY, textQuery("select current_setting('jit')"))).content).toBe('off')
      const inSetup = await one.writeSetup(ACTOR, async (setup) => (await setup.in(COMPANY)).all(jit, {}))
      expect(inSetup).toEqual([{ jit: 'off' }])
    }
    await pooled.close()
    await using reading = await openReadOnlyDatabase(url)
    expect(await reading.all(COMPANY, jit, {})).toEqual([{ jit: 'off' }])
    const inSession = await withSession(url, 'tests', (session) => inSnapshot(session, () => session.query('show jit')))
    expect(inSession.rows).toEqual([{ jit: 'off' }])
    const migrating = openMigrationPool(url)
    expect((await migrating.query('show jit')).rows).toEqual([{ jit: 'off' }])
    await migrating.end()
  })

  it('let a setup pause for longer than a request, and only the setup', async () => {
    const inSetup = await store.writeSetup(ACTOR, async (setup) => (await setup.in(COMPANY)).all(idle, {}))
    expect(inSetup).toEqual([{ limit: '1min' }])
    expect(await ask("select current_setting('idle_in_transaction_session_timeout')")).toBe('10s')
  })

  it('plan no read of a setup at a cost at which PostgreSQL 15 to 17 would compile it', async () => {
    const plan = await store.writeSetup(ACTOR, async (setup) =>
      (await setup.in(COMPANY)).all(explained, { companyId: COMPANY }),
    )
    const text = plan.map((row) => row['QUERY PLAN']).join('\n')
    // PostgreSQL 18 does not add to the cost of a plan that is switched off, but marks it.
    expect(text).toMatch(/Sort Key/)
    expect(text).not.toContain('Disabled')
    for (const [, cost] of text.matchAll(/cost=[\d.]+\.\.([\d.]+)/g)) expect(Number(cost)).toBeLessThan(100_000)
  })

  it('answer reads that are sent together each by itself, also beside one that fails', async () => {
    const companies = [COMPANY, 'NO']
    for (const first of [1, 101]) {
      const asked = Array.from({ length: 60 }, (_, at) => ({
        company: companies[at % 2] ?? '',
        no: at % 20 && first + at,
      }))
      const answers = await Promise.all(
        asked.map(({ company, no }) =>
          store
            .reading(company)
            .first(numbered, { no })
            .catch((error: Error) => error.message),
        ),
      )
      expect(answers).toEqual(asked.map((one) => (one.no === 0 ? 'division by zero' : one)))
    }
  })

  /** With one plan for all values. */
  const planned = (text: string, onAbandoned?: Parameters<typeof textQuery>[1]) => {
    const onePlan = { text, parameters: [] }
    return { ...textQuery(text, onAbandoned), compile: () => ({ ...onePlan, rows: 1, rowBytes: 100, onePlan }) }
  }
  const backendsOf = async (text: string, others: readonly string[] = []) => {
    const asked = [text, text, text, text, ...others].map((one) => store.collect(COMPANY, planned(one)))
    return (await Promise.all(asked)).slice(0, 4).map(({ content }) => content)
  }

  it('are shared by equal queries of a client that are quick, and by no others', async () => {
    const quick = "select pg_backend_pid() || ''"
    const slow = 'select pg_backend_pid() || pg_sleep(0.05)::text'
    await ask(quick)
    expect(new Set(await backendsOf(quick)).size).toBe(1)
    // Another text, because on a busy machine the first one may have been slow.
    expect(new Set(await backendsOf(`${quick} || 'beside'`, [slow])).size).toBe(1)
    expect(new Set(await backendsOf(slow)).size).toBe(1)
    // That it is slow is known now.
    expect(new Set(await backendsOf(slow)).size).toBe(4)
    const members = ['one', 'other']
    const ofTwo = members.map((member) => ({ ...planned(quick), flow: { group: COMPANY, member } }))
    const [one, other] = await Promise.all(ofTwo.map((query) => store.collect(COMPANY, query)))
    expect(one?.content).not.toBe(other?.content)
  })

  it('are not interrupted for one of the queries that share them', async () => {
    const stops: (() => void)[] = []
    const asked = ['one', 'two', 'three'].map((what) => {
      const query = planned("select 'slept' || pg_sleep(0.2)::text", (stop) => stops.push(stop))
      return { what, answer: store.collect(COMPANY, query) }
    })
    // By then they are sent.
    await ask("select 'other'::text")
    stops[0]?.()
    for (const { what, answer } of asked) expect((await answer).content, what).toBe('slept')
  })

  it('cancel an abandoned statement, and no other', async () => {
    for (let round = 0; round < 5; round++) {
      let stop = () => {}
      const answer = store.collect(
        COMPANY,
        textQuery('select pg_sleep(25)::text', (told) => {
          stop = told
        }),
      )
      const outcome = answer.then(
        () => 'answered',
        (error: Error) => error.message,
      )
      while ((await asleep()).length === 0) await new Promise((resume) => setTimeout(resume, 5))
      stop()
      expect(await outcome).toBe('Nobody waits for the answer.')
      expect(await asleep()).toEqual([])
      for (let next = 0; next < 20; next++) expect(await ask(`select '${next}'::text`)).toBe(String(next))
    }
  })

  it('do not start an abandoned query', async () => {
    await expect(
      store.collect(
        COMPANY,
        textQuery("select 'done'::text", (stop) => stop()),
      ),
    ).rejects.toThrow('Nobody waits')
  })

  it('end when an answer is larger than the buffer, and the process goes on', async () => {
    await expect(ask("select repeat('a', 70000000)")).rejects.toThrow('The answer is too large to be made')
    expect(await ask("select 'after'::text")).toBe('after')
  })

  it('keep queries prepared, and drop the oldest beyond a hundred', async () => {
    for (let no = 0; no < 130; no++) await ask(`select 'query ${no}'::text`)
    const kept = String(await ask("select string_agg(statement, ';') from pg_prepared_statements"))
    expect(kept.match(/'query \d+'/g)?.length).toBeLessThanOrEqual(100)
    expect(kept).toContain("'query 129'")
    expect(kept).not.toContain("'query 9'")
    // A dropped query is prepared again.
    expect(await ask("select 'query 9'::text")).toBe('query 9')
  })

  const attribute = (id: string) => ({
    company_id: COMPANY,
    attribute_id: id,
    name: id,
    description: '',
    maintenance: 'both',
    contact_points: 0,
    auto_numbering: 0,
    owner_attribute_id: '',
  })
  const idsThere = async () =>
    (await queryOn(asSuperuser(url), "select attribute_id as id from attribute where company_id = 'EN'")).map(
      ({ id }) => id,
    )

  it('acknowledge no write that another one in the same transaction has rolled back', async () => {
    const acknowledged: string[] = []
    const write = (id: string, isRefused: boolean, isBroken: boolean) =>
      store
        .write(COMPANY, ACTOR, async (tx) => {
          await putAttribute(tx, attribute(id))
          // This write is not awaited: the next one would get its error.
          if (isBroken) tx.send(broken, { companyId: COMPANY })
          if (isRefused) throw new Error('refused')
        })
        .then(
          () => acknowledged.push(id),
          () => {},
        )
    const numbers = [0, 1, 2, 3, 4, 5, 6]
    for (let round = 0; round < 6; round++) {
      await Promise.all(numbers.map((no) => write(`W${round}${no}`, no === 5, no === 3 && round % 2 === 1)))
    }
    const there = await idsThere()
    expect(there.toSorted()).toEqual(acknowledged.toSorted())
    expect(there).toEqual(expect.arrayContaining(['W00', 'W04', 'W06', 'W23', 'W46']))
    expect(there.filter((id) => /^W(.5|[135]3)$/.test(String(id)))).toEqual([])
    await store.write(COMPANY, ACTOR, (tx) => putAttribute(tx, attribute('after')))
    expect(await idsThere()).toContain('after')
  })

  it('acknowledge no write of a transaction that a failed statement has ended, whoever met with its error', async () => {
    const writes = [
      store.write(COMPANY, ACTOR, async (tx) => {
        await putAttribute(tx, attribute('lost'))
        tx.send(broken, { companyId: COMPANY })
      }),
      store.write(COMPANY, ACTOR, (tx) => tx.first(readCounter, { companyId: COMPANY })),
      store.write(COMPANY, ACTOR, async () => 'nothing'),
    ]
    const outcomes = await Promise.allSettled(writes)
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(await idsThere()).not.toContain('lost')
  })
})
