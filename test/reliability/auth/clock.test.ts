// A3: behaviour that depends on the clock: validity of tokens, today's date, clocks that are set back, time zones.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openReadOnly } from '../../../src/databases/open/open-read-only.ts'
import { findChainEnd, readChain } from '../../../src/store/audit/audit-store.ts'
import { verifyChain } from '../../../src/store/audit/verify-chain.ts'
import { base64 } from '../../support/documents.ts'
import { type Json, type Signer, signedToken } from '../../support/forgery/signer.ts'
import { ownSigner } from '../../support/forgery/signers.ts'
import { injectInto } from '../../support/inject.ts'
import { call, kill, serve, temporaryFolder } from '../../support/process.ts'
import { reliabilityTest, triesOf } from '../../support/reliability-test.ts'
import { FEWER_KINDS, startWorld } from '../../support/world.ts'

const SETUP = 'test/fixtures/documents.yaml'
const VALUE = '/v1/attribute-values/C1/CC100/0'
const DAY_MS = 86_400_000
const NOON = '2026-05-04T12:00:00.000Z'

/** Claims in seconds from now, and whether a token with them is accepted. */
const TOKEN_EDGES: readonly [claims: Readonly<Record<string, number>>, isTaken: boolean][] = [
  [{ exp: 1 }, true],
  [{ exp: 0 }, true],
  [{ exp: -29 }, true],
  [{ exp: -30 }, false],
  [{ exp: -31 }, false],
  [{ exp: -29.5 }, true],
  [{ exp: 10 * 365 * 86_400 }, true],
  [{ nbf: -1 }, true],
  [{ nbf: 30 }, true],
  [{ nbf: 31 }, false],
  [{ iat: 30 }, true],
  [{ iat: 31 }, false],
  [{ iat: -86_430 }, true],
  [{ iat: -86_431 }, false],
  [{ iat: -86_431, exp: 10 * 365 * 86_400 }, false],
]
/** Claims of a cached accepted token, the elapsed milliseconds, and whether it is still accepted. */
const REMEMBERED_EDGES: readonly [claims: Readonly<Record<string, number>>, laterMs: number, isTaken: boolean][] = [
  [{ exp: 60 }, 89_999, true],
  [{ exp: 60 }, 90_000, false],
  [{ exp: 60 }, 3_600_000, false],
  [{ exp: 10 * 365 * 86_400 }, 86_430_999, true],
  [{ exp: 10 * 365 * 86_400 }, 86_431_000, false],
  [{ exp: 10 * 365 * 86_400 }, 30 * DAY_MS, false],
  [{ exp: 60 }, -3_600_000, true],
]
/** The time, an expiry date, and the status for a document with that expiry date. */
const EXPIRY_EDGES: readonly [now: string, expiry: string, status: number][] = [
  ['2026-05-04T00:00:00.000Z', '2026-05-04', 201],
  ['2026-05-04T00:00:00.000Z', '2026-05-03T23:59:59.999', 400],
  ['2026-05-04T23:59:59.999Z', '2026-05-04', 201],
  ['2026-05-04T23:59:59.999Z', '2026-05-04T00:00:00', 201],
  ['2026-05-04T23:59:59.999Z', '2026-05-03', 400],
  ['2026-05-05T00:00:00.000Z', '2026-05-04T23:59:59.999', 400],
  ['2026-05-04T12:00:00.000Z', '2026-05-04T00:00:00+02:00', 400],
  ['2026-05-04T12:00:00.000Z', '2026-05-03T23:00:00-02:00', 201],
  ['2028-02-29T12:00:00.000Z', '2028-02-29', 201],
  ['2028-02-29T12:00:00.000Z', '2028-02-28', 400],
  ['2028-03-01T00:00:00.000Z', '2028-02-29', 400],
  ['2027-02-28T12:00:00.000Z', '2027-02-29', 400],
  ['2026-12-31T23:59:59.999Z', '2026-12-31', 201],
  ['2027-01-01T00:00:00.000Z', '2026-12-31', 400],
  ['2026-03-29T01:30:00.000Z', '2026-03-29T02:30:00', 201],
  ['2026-10-25T00:30:00.000Z', '2026-10-24', 400],
]
/** The time, and the end of the retention of a document type with a month and of one with ten years. */
const RETENTION: readonly [now: string, month: string, tenYears: string][] = [
  ['2026-01-31T23:59:59.999Z', '2026-02-28', '2036-01-31'],
  ['2028-01-31T00:00:00.000Z', '2028-02-29', '2038-01-31'],
  ['2028-02-29T12:00:00.000Z', '2028-03-29', '2038-02-28'],
  ['2026-12-31T23:59:59.999Z', '2027-01-31', '2036-12-31'],
  ['2026-03-29T01:00:00.000Z', '2026-04-29', '2036-03-29'],
]
const PERIODS: readonly [now: string, period: number][] = [
  ['2026-12-31T23:59:59.999Z', 202612],
  ['2027-01-01T00:00:00.000Z', 202701],
  ['2028-02-29T23:59:59.999Z', 202802],
  ['2028-03-01T00:00:00.000Z', 202803],
]

describe.each(FEWER_KINDS)('A3 time on %s', (kind) => {
  let now = Date.parse(NOON)
  let world: Awaited<ReturnType<typeof startWorld>>
  let signer: Signer
  beforeAll(async () => {
    world = await startWorld(kind, SETUP, '', { clock: () => new Date(now) })
    signer = ownSigner(world.folder)
  })
  afterAll(async () => world?.stop())

  const statusOf = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    return (await injectInto(world.application.server, { url: VALUE, headers })).statusCode
  }
  const tokenWith = (claims: Readonly<Record<string, number>>) => {
    const seconds = Math.floor(now / 1000)
    const times = { iat: 0, exp: 3_600, ...claims }
    const dates: Json = Object.fromEntries(Object.entries(times).map(([name, from]) => [name, seconds + from]))
    return signedToken(signer, { claims: { ...dates, jti: Math.random() } })
  }
  /** Callers are authenticated anew: earlier tokens may have expired. */
  const send = async (url: string, body?: object) => {
    const headers = { authorization: `Bearer ${await world.application.tokens.issue('integration')}` }
    return world.send({ url, headers, ...(body ? { method: 'POST' as const, body } : {}) })
  }
  const create = (docType: string, more: object) =>
    send('/v1/documents', { docType, title: 'T', fileName: 'a.txt', fileContent: base64('x'), ...more })

  it('A3 accepts tokens from their start to their end, and 30 s longer, also cached ones', () =>
    reliabilityTest('A3', `edges of tokens on ${kind}`, async () => {
      for (const [claims, isTaken] of TOKEN_EDGES) {
        now = Date.parse(NOON)
        expect([claims, await statusOf(tokenWith(claims))]).toEqual([claims, isTaken ? 200 : 401])
      }
      for (const [claims, laterMs, isTaken] of REMEMBERED_EDGES) {
        now = Date.parse(NOON)
        const token = tokenWith(claims)
        expect(await statusOf(token)).toBe(200)
        now += laterMs
        expect([claims, laterMs, await statusOf(token)]).toEqual([claims, laterMs, isTaken ? 200 : 401])
      }
      return `${TOKEN_EDGES.length + REMEMBERED_EDGES.length} cases`
    }))

  it('A3 uses the day and the period of today in UTC, to the millisecond', () =>
    reliabilityTest('A3', `what is today, on ${kind}`, async () => {
      for (const [at, expiryDate, status] of EXPIRY_EDGES) {
        now = Date.parse(at)
        expect([at, expiryDate, (await create('NOTE', { expiryDate })).status]).toEqual([at, expiryDate, status])
      }
      for (const [at, ...kept] of RETENTION) {
        now = Date.parse(at)
        const month = await create('MEMO', {})
        const indexes = [{ indexValue: 'CC100' }, { indexValue: '1' }]
        const tenYears = await create('INVOICE', {
          indexes: indexes.map((one, index) => ({ sequenceNo: index + 1, ...one })),
        })
        const dates = [month, tenYears].map(({ json }) => String(json.expiryDate))
        expect([at, ...dates]).toEqual([at, ...kept.map((day) => `${day}T00:00:00.000`)])
        expect(month.json.lastUpdate.updatedAt).toBe(at.slice(0, -1))
      }
      for (const [at, period] of PERIODS) {
        now = Date.parse(at)
        const { status, json } = await send('/v1/objects/companies')
        expect([at, status, json]).toEqual([at, 200, [expect.objectContaining({ currentAccountingPeriod: period })]])
      }
      return `${EXPIRY_EDGES.length + RETENTION.length + PERIODS.length} cases`
    }))

  it('A3 goes on when the clock is set back', () =>
    reliabilityTest('A3', `a clock that is set back, on ${kind}`, async () => {
      const jumps = [1_000, 31_000, 3_600_000, DAY_MS, 365 * DAY_MS, 10 * 365 * DAY_MS]
      now = Date.parse(NOON)
      const keys = world.application.keys.published()
      const headers = { 'idempotency-key': 'before' }
      const body = { docType: 'NOTE', title: 'Once', fileName: 'a.txt', fileContent: base64('x') }
      const as = await world.application.tokens.issue('integration')
      const sent = { method: 'POST' as const, url: '/v1/documents', body }
      const first = await world.send({ ...sent, headers: { ...headers, authorization: `Bearer ${as}` } })
      expect(first.status).toBe(201)
      for (const jump of jumps) {
        now -= jump
        const created = await create('NOTE', { title: `Before ${jump}` })
        expect([jump, created.status]).toEqual([jump, 201])
        expect(created.json.lastUpdate.updatedAt).toBe(new Date(now).toISOString().slice(0, -1))
        const authorization = `Bearer ${await world.application.tokens.issue('integration')}`
        const again = await world.send({ ...sent, headers: { ...headers, authorization } })
        expect([again.status, again.text]).toEqual([201, first.text])
        expect(await world.application.keys.rotateWhenDue()).toBeUndefined()
      }
      expect(world.application.keys.published()).toEqual(keys)
      expect(await chainFaults()).toEqual([])
      return `${jumps.length} jumps`
    }))

  it('A3 counts denied accesses by the minute also when the clock is set back', async () => {
    const refused = async (times: number) => {
      const authorization = `Bearer ${await world.application.tokens.issue('nobody')}`
      for (let at = 0; at < times; at++) await world.send({ url: VALUE, headers: { authorization } })
    }
    const entries = async () => {
      await world.application.deniedAccess.write()
      return (await world.query("select entry_no from audit_entry where entity = 'access'")).length
    }
    now = Date.parse(NOON)
    await refused(70)
    expect(await entries()).toBe(60)
    now -= DAY_MS
    await refused(5)
    // Five entries are written, and one for the ten that were only counted.
    expect(await entries()).toBe(66)
  })

  async function chainFaults() {
    const [data, database] = [world.folder, kind === 'postgres' ? world.databaseUrl() : undefined]
    await using opened = await openReadOnly({ data, database })
    const end = await findChainEnd(opened, 'EN')
    return await verifyChain(readChain(opened, 'EN', end.entryNo), end, [], () => {})
  }
})

/** At any time one of the first two is on another date than UTC; the others have different daylight-saving dates. */
const ZONES = [
  'Pacific/Kiritimati',
  'Etc/GMT+12',
  'America/New_York',
  'Europe/Oslo',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
]
/** Local times that are skipped or occur twice at daylight-saving changes. */
const TURNS = [
  '2026-03-08T02:30:00',
  '2026-03-29T02:30:00',
  '2026-10-25T02:30:00',
  '2026-04-05T01:45:00',
  '2026-10-04T02:15:00',
]

describe('A3 time zones', () => {
  it('A3 answers the same in every time zone of the machine', () =>
    reliabilityTest('A3', 'time zones', async () => {
      const zones = ZONES.slice(0, triesOf({ long: 2, full: ZONES.length }))
      for (const zone of zones) await liveIn(zone)
      return `${zones.length} zones`
    }))
})

async function liveIn(zone: string): Promise<void> {
  const folder = temporaryFolder()
  const service = await serve(['--data', folder.path, '--setup', SETUP], { environment: { TZ: zone } })
  try {
    const create = async (expiryDate: string) => {
      const body = { docType: 'NOTE', title: zone, fileName: 'a.txt', fileContent: base64('x'), expiryDate }
      const { status, text } = await call(`${service.address}/v1/documents`, { method: 'POST', body })
      return { status, record: JSON.parse(text) }
    }
    const days = () => [0, -DAY_MS].map((from) => new Date(Date.now() + from).toISOString().slice(0, 10))
    const [today = '', yesterday = ''] = days()
    const statuses = [(await create(today)).status, (await create(yesterday)).status]
    // Around midnight either status may be right.
    if (days()[0] === today) expect([zone, ...statuses]).toEqual([zone, 201, 400])
    for (const turn of TURNS) {
      const { record } = await create(turn.replace('2026', '2098'))
      expect([zone, record.expiryDate]).toEqual([zone, `${turn.replace('2026', '2098')}.000`])
    }
  } finally {
    await kill(service)
    folder.remove()
  }
}
