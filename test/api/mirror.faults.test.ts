// A mirror loads and follows a source that behaves badly, and asks no more of it than its share.
import { afterEach, describe, expect, it } from 'vitest'
import { ErpSource } from '../../src/mirror/source/source.ts'
import { sourceRules } from '../../src/setup/rules/source.ts'
import { Erp } from '../support/erp/erp.ts'
import type { Fault } from '../support/erp/faults.ts'
import { type MirrorOptions, type MirrorWorld, startMirror } from '../support/mirror.ts'
import { FEWER_KINDS } from '../support/world.ts'

/** The client's own token is valid as long. */
const AWAY_MS = 50 * 60_000
/** None of them makes a source wait. */
const BROKEN: readonly Fault[] = ['500', 'cut', 'truncated', 'lost']

describe.each(FEWER_KINDS)('a mirror on %s', (kind) => {
  let mirror: MirrorWorld | undefined
  const start = async (options: MirrorOptions = {}) => {
    mirror = await startMirror(kind, options)
    return mirror
  }
  afterEach(async () => mirror?.stop())

  it.each(BROKEN)('loads all records where answers are %s', async (fault) => {
    const { erp, loaded, differences } = await start({ erp: { sizes: { ledger: 3_000 } } })
    erp.faults.order(fault, 3, /general-ledger-transactions.*limit=\d{3}/)
    await loaded()
    expect(erp.faults.count[fault]).toBe(3)
    expect(await differences()).toEqual([])
  })

  it.each(['seconds', 'date', 'none'] as const)('waits as it is asked to: %s', async (retryAfter) => {
    const { erp, loaded, differences } = await start({ erp: { retryAfter } })
    erp.faults.order('429', 2, /customers/)
    await loaded()
    expect(await differences()).toEqual([])
  })

  it('asks for fewer rows where the source fails with many', async () => {
    const { erp, loaded, differences } = await start({ erp: { sizes: { ledger: 3_000 } } })
    erp.faults.mostRows = 300
    await loaded()
    expect(await differences()).toEqual([])
  })

  it('goes on answering while the source is away, and catches up', async () => {
    const { erp, world, loaded, advance, until, status, same } = await start()
    await loaded()
    erp.faults.isAway = true
    erp.change('customers', { customerId: '100003' }, { customerName: 'Meanwhile AS' })
    await until('it is told', async () => (await status('customers')).problem !== '')
    advance(AWAY_MS)
    const answer = await world.send({ as: 'programs', url: '/v1/customers/100003?companyId=EN' })
    expect(answer.status).toBe(200)
    expect(Number(answer.headers.age)).toBeGreaterThanOrEqual(AWAY_MS / 1000)
    erp.faults.isAway = false
    await same(['customers'])
    const told = world.observed.filter((one) => one.kind === 'mirror-problem')
    expect(told).toHaveLength(1)
  })

  it('tells refused credentials once, and shows them seldom', async () => {
    const { erp, world, loaded, until, status, advance, same } = await start()
    await loaded()
    erp.clients[0]!.isRevoked = true
    await until('it is told', async () => (await status('customers')).problem.includes('401'))
    const { requests } = { ...erp.traffic.total }
    await until('all documents tell it', async () => (await status('time-sheets')).problem.includes('401'))
    expect(erp.traffic.total.requests - requests).toBeLessThan(30)
    expect(world.observed.filter((one) => one.kind === 'mirror-problem')).toHaveLength(1)
    erp.clients[0]!.isRevoked = false
    advance(AWAY_MS)
    await same()
  })
})

describe('the source of a mirror', () => {
  it('is asked for no more than its share, however much there is to ask', async () => {
    let now = Date.parse('2026-06-01T00:00:00Z')
    const sleep = async (ms: number) => {
      now += ms
    }
    const erp = new Erp({ clock: { now: () => now, sleep }, cost: { requestMs: 50, rowMs: 0 } })
    const rules = sourceRules({ url: 'http://erp', clientIdEnv: 'C', secretEnv: 'S', share: 0.5 }, 'EN')
    const environment = { C: 'mirror', S: 'mirror-secret' }
    const source = new ErpSource({
      rules,
      environment,
      now: () => now,
      sleep,
      fetch: (url, init) => erp.fetch(`${url}`, init),
    })
    const path = source.pathOf('/v1/objects/customers', { limit: 1 })
    const ask = async () => {
      for (let asked = 0; asked < 300; asked += 1) await source.read(path)
    }
    await Promise.all([ask(), ask(), ask()])
    expect(erp.traffic.requests.peak).toBeLessThanOrEqual(250)
    expect(erp.traffic.total.refused).toBe(0)
    await expect(source.send(path, { isUrgent: true })).resolves.toMatchObject({ status: 200 })
  })
})
