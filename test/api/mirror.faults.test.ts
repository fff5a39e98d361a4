// A mirror loads and follows a source that behaves badly, and asks no more of it than its share.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { DocumentReader } from '../../src/mirror/document-reader.ts'
import { NEW_DOCUMENT } from '../../src/mirror/document-state.ts'
import { ErpSource } from '../../src/mirror/source/source.ts'
import { sourceRules } from '../../src/setup/rules/source.ts'
import { Erp } from '../support/erp/erp.ts'
import type { Fault } from '../support/erp/faults.ts'
import { type MirrorOptions, type MirrorWorld, startMirror } from '../support/mirror.ts'
import { IS_LONG } from '../support/reliability-test.ts'
import { FEWER_KINDS } from '../support/world.ts'

/** Shorter than until the same problem is told again. */
const AWAY_MS = 50 * 60_000
const SIX_HOURS_MS = 6 * 60 * 60_000
/** Longer than a mirror waits for a source that is away. */
const STEP_MS = 10 * 60_000
const READS = [
  '/v1/customers/100003?companyId=EN',
  '/v1/objects/customers?companyId=EN',
  '/v1/objects/attribute-values?companyId=EN',
] as const
/** What a small source allows in five minutes. */
const BYTES = 10_000_000
const SIZES = { ledger: 20_000, customers: 4_000 }
/** No mirror is asked to wait for longer, nor waits for longer where it is not told how long. */
const WAIT_MS = 3_000
/** None of them makes a source wait. */
const BROKEN: readonly Fault[] = ['500', 'cut', 'truncated', 'lost']
/** How a source says for how long. */
const WAITS = ['date', 'seconds', 'none'] as const

describe.each(FEWER_KINDS)('a mirror on %s', (kind) => {
  let mirror: MirrorWorld | undefined
  const start = async (options: MirrorOptions = {}) => {
    mirror = await startMirror(kind, options)
    return mirror
  }
  afterEach(async () => mirror?.stop())

  it.each(IS_LONG ? BROKEN : BROKEN.slice(-1))('loads all records where answers are %s', async (fault) => {
    const { erp, loaded, differences } = await start({ erp: { sizes: { ledger: 600 } } })
    erp.faults.order(fault, 3, /general-ledger-transactions.*limit=\d{3}/)
    await loaded()
    expect(erp.faults.count[fault]).toBe(3)
    expect(await differences()).toEqual([])
  })

  it.each(IS_LONG ? WAITS : WAITS.slice(0, 1))('waits as it is asked to: %s', async (retryAfter) => {
    const { erp, loaded, differences, until, advance } = await start({ erp: { retryAfter } })
    erp.faults.order('429', 2, /customers/)
    for (const told of [1, 2]) {
      await until('it is asked to wait', () => (erp.faults.count['429'] ?? 0) >= told)
      advance(WAIT_MS)
    }
    await loaded()
    expect(await differences()).toEqual([])
  })

  it('asks for fewer rows where the source fails with many', async () => {
    const { erp, loaded, differences } = await start({ erp: { sizes: { ledger: 600 } } })
    erp.faults.mostRows = 300
    await loaded()
    expect(await differences()).toEqual([])
  })
})

describe.each(FEWER_KINDS)('a loaded mirror on %s', (kind) => {
  let mirror: MirrorWorld
  beforeAll(async () => {
    mirror = await startMirror(kind)
    await mirror.loaded()
  })
  afterAll(async () => mirror?.stop())
  /** How often it was told that the mirror has a problem. */
  const problems = () => mirror.world.observed.filter((one) => one.kind === 'mirror-problem').length

  it('goes on answering while the source is away, and catches up', async () => {
    const { erp, world, advance, until, status, same } = mirror
    erp.faults.isAway = true
    erp.change('customers', { customerId: '100003' }, { customerName: 'Meanwhile AS' })
    await until('it is told', async () => (await status('customers')).problem !== '')
    advance(AWAY_MS)
    const answer = await world.send({ as: 'programs', url: '/v1/customers/100003?companyId=EN' })
    expect(answer.status).toBe(200)
    expect(Number(answer.headers.age)).toBeGreaterThanOrEqual(AWAY_MS / 1000)
    erp.faults.isAway = false
    await same(['customers'])
    expect(problems()).toBe(1)
  })

  it('refuses no read in six hours without its source, and has caught up ten minutes after them', async () => {
    const { erp, world, advance, until, same } = mirror
    const asked = countAsked(erp)
    erp.faults.isAway = true
    for (let passed = STEP_MS; passed <= SIX_HOURS_MS; passed += STEP_MS) {
      const before = asked()
      advance(STEP_MS)
      const customerId = String(100_000 + passed / STEP_MS)
      erp.change('customers', { customerId }, { customerName: `After ${passed} ms AS` })
      for (const url of READS) {
        const { status, headers } = await world.send({ as: 'programs', url })
        expect(status).toBe(200)
        expect(Number(headers.age) * 1000).toBeGreaterThanOrEqual(passed)
      }
      await until('the source is asked again', () => asked() > before)
    }
    erp.faults.isAway = false
    advance(STEP_MS)
    await same(['customers'])
  })

  it('tells refused credentials once, and shows them seldom', async () => {
    const { erp, until, status, advance, same } = mirror
    await until('nothing is wrong', async () => (await status('time-sheets')).problem === '')
    await same()
    const before = problems()
    erp.clients[0]!.isRevoked = true
    await until('it is told', async () => (await status('customers')).problem.includes('401'))
    const { requests } = { ...erp.traffic.total }
    await until('all documents tell it', async () => (await status('time-sheets')).problem.includes('401'))
    expect(erp.traffic.total.requests - requests).toBeLessThan(30)
    expect(problems()).toBe(before + 1)
    erp.clients[0]!.isRevoked = false
    advance(AWAY_MS)
    await same()
  })
})

/** Counts the requests that reach the ERP, or would. */
function countAsked(erp: Erp): () => number {
  const answer = erp.answer.bind(erp)
  let asked = 0
  erp.answer = (request) => {
    asked += 1
    return answer(request)
  }
  return () => asked
}

describe('the source of a mirror', () => {
  let now = Date.parse('2026-06-01T00:00:00Z')
  const sleep = async (ms: number) => {
    now += ms
  }
  const setup = { url: 'http://erp', clientIdEnv: 'C', secretEnv: 'S', share: 0.5, bytesPerFiveMinutes: BYTES }
  const rules = sourceRules(setup, 'EN')
  const environment = { C: 'mirror', S: 'mirror-secret' }
  const newErp = () => new Erp({ clock: { now: () => now, sleep }, cost: { requestMs: 50, rowMs: 0 } })
  const sourceOn = (erp: Erp) =>
    new ErpSource({ rules, environment, now: () => now, sleep, fetch: (url, init) => erp.fetch(`${url}`, init) })

  it('is asked for no more than its share, however much there is to ask', async () => {
    const erp = newErp()
    const source = sourceOn(erp)
    const path = source.pathOf('/v1/objects/customers', { limit: 1 })
    const ask = async () => {
      for (let asked = 0; asked < 300; asked += 1) await source.read(path)
    }
    await Promise.all([ask(), ask(), ask()])
    expect(erp.traffic.requests.peak).toBeLessThanOrEqual(250)
    expect(erp.traffic.total.refused).toBe(0)
    await expect(source.send(path, { isUrgent: true })).resolves.toMatchObject({ status: 200 })
  })

  it('is asked for no more bytes than its share, by several documents at a time', async () => {
    const erp = new Erp({ clock: { now: () => now, sleep }, cost: { requestMs: 50, rowMs: 0 }, sizes: SIZES })
    const source = sourceOn(erp)
    const readAll = async (name: string, key: readonly string[]) => {
      const keyed = key.map((part) => ({ name: part, isText: part.endsWith('Id') }))
      const asked = { name, version: 1, key: keyed, lists: [], members: [], from: undefined }
      const reader = new DocumentReader(source, asked, () => now, { ...NEW_DOCUMENT, bound: 50_000 })
      let rows = 0
      for await (const page of reader.pages({ state: 'posted' }, new AbortController().signal)) rows += page.rows.length
      return rows
    }
    const ledger = ['transactionNumber', 'sequenceNumber']
    const read = [readAll('general-ledger-transactions', ledger), readAll('customers', ['customerId'])]
    expect((await Promise.all(read)).at(1)).toBe(SIZES.customers)
    expect(erp.traffic.total.bytes).toBeGreaterThan(2 * BYTES * rules.share)
    expect(erp.traffic.bytes.peak).toBeLessThanOrEqual(BYTES * rules.share)
  })

  it('is asked for no more by processes that are killed one after the other', async () => {
    const erp = newErp()
    let stored: string | undefined
    for (let process = 0; process < 60; process += 1) {
      const source = sourceOn(erp)
      if (stored !== undefined) source.quota.restore(JSON.parse(stored), now)
      source.keepUse = async (expected) => {
        const kept = source.quota.keep(now, expected)
        await sleep(20)
        stored = JSON.stringify(kept)
        source.quota.allow(kept.ahead)
      }
      await source.keepUse(0)
      const path = source.pathOf('/v1/objects/customers', { limit: 1 })
      const killed = new AbortController()
      const ask = async () => {
        for (let asked = 0; asked < process; asked += 1) await source.read(path, { signal: killed.signal })
        killed.abort()
      }
      await Promise.allSettled([ask(), ask()])
    }
    expect(erp.traffic.total.requests).toBeGreaterThan(1_000)
    expect(erp.traffic.requests.peak).toBeLessThanOrEqual(250)
  })
})
