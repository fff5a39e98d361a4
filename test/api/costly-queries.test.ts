// Queries that are expensive for their length do not block other requests, whichever rows they scan.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import {
  contactPoint,
  insertManyLines,
  insertRows,
  ledger,
  objects,
  type Row,
  startObjects,
} from '../support/object-records.ts'
import { processorTime } from '../support/processor-time.ts'
import { listen } from '../support/uploads.ts'
import { FEWER_KINDS, onEachStore, type StoreKind, type World } from '../support/world.ts'

/** The limit for the CPU time of the service itself for a query and its answer; without limits it was seconds. */
const MOST_MS = 250

const repeated = <One>(times: number, one: (at: number) => One) => Array.from({ length: times }, (_, at) => one(at))
const ask = (world: World, document: string, options: Record<string, string | number>) =>
  world.send({ as: 'integration', url: objects(document, options) })

const value = (attributeValue: string, rest: Row): Row => ({
  company_id: 'EN',
  attribute_id: 'C0',
  attribute_value: attributeValue,
  period_from: 0,
  period_to: 209_912,
  description: '',
  owner: '',
  status: 'N',
  custom_value: 0,
  contact_points: '[]',
  updated_at: '2026-01-02T03:04:05.678Z',
  updated_by: 'tester',
  ...rest,
})

/** Written before texts had a greatest length. */
const LONG = 'æ'.repeat(300_000)
const MANY_POINTS = JSON.stringify(repeated(2_000, (at) => contactPoint('1', 'Oslo', at)))

onEachStore(
  'An expensive query',
  (world) => {
    const folded = repeated(60, (at) => `contains(toupper(description),'q${at}')`).join(' or ')
    const lists = repeated(20, (at) => `contactPoints/any(c: c/address/place eq 'x${at}')`).join(' or ')

    it.each([
      ['functions over long texts', { filter: `attributeId eq 'C0' and (${folded})` }],
      [
        'functions over long texts, of one record',
        { filter: `attributeId eq 'C0' and attributeValue eq 'L1' and (${folded})` },
      ],
      ['any over long lists', { filter: `attributeId eq 'C0' and (${lists})` }],
      ['parts of long lists', { filter: "attributeId eq 'C0'", select: 'contactPoints(sortOrder)', limit: 20 }],
    ])('does not hold up the service: %s', async (_what, options) => {
      await ask(world(), 'attribute-values', { ...options, filter: "attributeId eq 'XX'" })
      const [answer, worked] = await processorTime(() => ask(world(), 'attribute-values', options))
      // It is answered, or cancelled at its time limit.
      expect([200, 503]).toContain(answer.status)
      expect(worked).toBeLessThan(MOST_MS)
    })
  },
  async (kind) => {
    const world = await startObjects(kind, { queryTimeoutMs: 1_000 })
    // An index of PostgreSQL takes no such texts.
    if (kind === 'postgres') await world.query('drop index attribute_value_description')
    const rows = [
      ...repeated(4, (at) => value(`L${at}`, { description: LONG })),
      ...repeated(100, (at) => value(`P${at}`, { contact_points: MANY_POINTS })),
    ]
    for (const row of rows) await insertRows(world, 'attribute_value', [row])
    return world
  },
  FEWER_KINDS,
)

/** Records of a megabyte each: more than the 32 that may be buffered as one text. */
const LARGE_RECORDS = 40

onEachStore(
  'An answer of many large records',
  (world) => {
    const paths: [what: string, member: string][] = [
      ['descriptions', 'description'],
      ['contact points', 'contactPoints'],
    ]

    it.each(paths)('is streamed, whatever its size, with a limit of 2,000: %s', async (_what, member) => {
      const address = await listen(world())
      const url = objects('attribute-values', {
        select: `attributeValue,${member}`,
        filter: "attributeId eq 'C0'",
        limit: 2_000,
      })
      const answer = await fetch(address + url, {
        headers: { authorization: `Bearer ${await world().token('integration')}` },
      })
      let bytes = 0
      for await (const piece of answer.body ?? []) bytes += piece.length
      expect(answer.status).toBe(200)
      expect(bytes).toBeGreaterThan(LARGE_RECORDS * 1_000_000)
      expect((await world().send({ as: 'integration', url: '/health/ready' })).status).toBe(200)
    })
  },
  async (kind) => {
    const world = await startObjects(kind)
    const million = kind === 'postgres' ? "repeat('a', 1000000)" : "printf('%.*c', 1000000, 'a')"
    if (kind === 'postgres') await world.query('drop index attribute_value_description')
    await world.query(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${LARGE_RECORDS})
      insert into attribute_value (company_id, attribute_id, attribute_value, description, contact_points)
      select 'EN', 'C0', 'B' || i, ${million}, ${kind === 'postgres' ? `('["' || ${million} || '"]')::json` : `'["' || ${million} || '"]'`} from n`)
    return world
  },
  FEWER_KINDS,
)

const SLOW_LINES = 100_000

onEachStore(
  'A query whose caller has disconnected',
  (world, kind) => {
    const slow = repeated(90, (at) => `contains(tolower(description),'${at}x')`).join(' or ')

    it.each([
      ['HEAD', 'a count', ledger({ filter: slow })],
      ['GET', 'a list', ledger({ filter: slow, limit: 10 })],
    ] as const)('%s: %s is ended, and holds up nobody', async (method, _what, url) => {
      const address = await listen(world())
      const headers = { authorization: `Bearer ${await world().token('integration')}` }
      for (let round = 0; round < 8; round++) {
        await fetch(`${address}${url}&companyId=${round % 2 ? 'en' : 'EN'}`, {
          method,
          headers,
          signal: AbortSignal.timeout(300),
        }).catch(() => {})
      }
      // Each of them would run longer than this test may.
      const quick = objects('companies', { select: 'companyId' })
      const counted = ledger({ filter: "contains(description,'77777')", limit: 1, select: 'transactionNumber' })
      await expect.poll(() => isQuiet(world(), kind), { timeout: 120_000 }).toBe(true)
      expect((await world().send({ as: 'integration', url: quick })).status).toBe(200)
      expect((await world().send({ as: 'integration', url: counted })).status).toBe(200)
    })
  },
  async (kind) => {
    const world = await startObjects(kind, { queryTimeoutMs: 120_000 })
    await insertManyLines(world, SLOW_LINES)
    return world
  },
  FEWER_KINDS,
)

/** Whether no query runs: in a session of PostgreSQL, or in a reader process that consumes CPU time. */
async function isQuiet(world: World, kind: StoreKind): Promise<boolean> {
  if (kind === 'postgres') {
    const text =
      "select 1 from pg_stat_activity where state = 'active' and query ilike '%ledger_transaction%' and pid <> pg_backend_pid()"
    return (await world.query(`${text} and datname = current_database()`)).length === 0
  }
  const before = processorTicks()
  await new Promise((resolve) => setTimeout(resolve, 300))
  return processorTicks() === before
}

/** The CPU time of this process's readers. */
function processorTicks(): string {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean)
  return children.map((id) => readFileSync(`/proc/${id}/stat`, 'utf8').split(') ')[1]?.split(' ')[11]).join()
}
