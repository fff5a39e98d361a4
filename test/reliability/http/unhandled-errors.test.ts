// H9: whatever fails while a request is handled, the caller gets one answer that says so and nothing else; nothing is
// written, and the next request is answered. Every call that handling a request makes fails in turn.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signedIn } from '../../support/console-people.ts'
import { consoleRoutes } from '../../support/console-routes.ts'
import { type FaultSites, THROWN } from '../../support/faults/fault-sites.ts'
import { OPERATION_REQUESTS, type OperationRequest } from '../../support/faults/requests.ts'
import { watchApplication } from '../../support/faults/watched-application.ts'
import { type WriteDetector, watchWrites } from '../../support/faults/write-detector.ts'
import { injectInto } from '../../support/inject.ts'
import { JASPER } from '../../support/isolation/companies.ts'
import { type IsolationWorld, startIsolationWorld } from '../../support/isolation/records.ts'
import { IS_FULL, randomNumbers, reliabilityTest, SEED } from '../../support/reliability-test.ts'
import { uniqueAddress } from '../../support/unique-address.ts'
import { FEWER_KINDS } from '../../support/world.ts'

const CLIENT = `writer-${JASPER.id}`
/** A request that must succeed afterwards. */
const NEXT: OperationRequest = { name: 'the next', method: 'GET', url: '/v1/attribute-values/C1/TWIN/0' }
const FAILED = '{"code":1000,"message":"Internal server error","requestId":"h9"}'
const UNTRUSTED = '{"statusCode":401,"message":"Invalid JWT."}'
/** OData has a body of its own for errors. */
const IN_ODATA = new Map([
  [FAILED, '{"error":{"code":"1000","message":"Internal server error"}}'],
  [UNTRUSTED, '{"error":{"code":"401","message":"Invalid JWT."}}'],
])
/** The answer had started: it is cut off, so that it cannot be taken for a complete one. */
const CUT = { statusCode: 0, body: '', headers: {} as Record<string, unknown> }
/** A token that cannot be verified because of an error is rejected; a session is not asked for again. */
const TRUST = ['keys.verifying', 'keys.verifies', 'directory.callerOfClient']
/** Failures after the answer are not reported to the client. */
const AFTER_THE_ANSWER = ['intake.discard']
/**
 * Work in memory after a commit, or after that of an earlier operation of a batch: the write is durable and stays,
 * although the answer failed.
 */
const AFTER_THE_COMMIT = [
  'service.onFileAdded',
  'companies.require',
  'companies.find',
  'companies.known',
  'caller.rulesFor',
]
/** An attempt is counted before the secret is checked: the count stays. It is no record. */
const COUNTED_BEFORE = ['store.upsertCounters']
/** The first of each asks PostgreSQL if a cached answer is current: if that fails, the record is read again. */
const CHECKING = ['store.reading', 'reading.all']
/** Files are read while they are sent. */
const WHILE_SENT = ['files.read', 'files.readChunks', 'pieces.next']
/** More calls than any request makes. */
const MOST_CALLS = 500

const random = randomNumbers(SEED)
const stepsOver = () => (IS_FULL ? 0 : Math.floor(random() * 6))

describe.each(FEWER_KINDS)('H9 unhandled errors on %s', (kind) => {
  let world: IsolationWorld
  let sites: FaultSites
  let written: WriteDetector
  const unhandled: unknown[] = []
  const note = (reason: unknown) => unhandled.push(reason)
  beforeAll(async () => {
    process.on('unhandledRejection', note)
    // Slow queries of a busy machine would be written in the background.
    world = await startIsolationWorld(kind, { companies: [JASPER], slowQueryMs: 3_600_000 })
    // Text extraction belongs to no request; it has a test of its own.
    await world.application.texts.stop()
    // The secrets of cursors and pages are made when the first of them is.
    await world.send({ as: CLIENT, url: '/v1/changes?since=now' })
    await world.send({ as: CLIENT, url: `/odata/v4/${JASPER.id}/customers?$top=2&$count=true` })
    sites = watchApplication(world.application)
    written = await watchWrites(world, kind)
  })
  afterAll(async () => {
    process.off('unhandledRejection', note)
    sites?.stop()
    await written?.stop()
    await world?.stop()
  })

  it('H9 has a row for every operation', async () => {
    const { paths } = (await world.send({ url: '/openapi.json' })).json as { paths: Record<string, object> }
    const described = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const ofTheSetup = (name: string) => name.replace('/{version}/objects/{document}', '/v1/objects/work-orders')
    const rows = OPERATION_REQUESTS.flatMap(({ name }) => [name, ofTheSetup(name)])
    expect(described.filter((name) => !rows.includes(name) && !name.startsWith('GET /health'))).toEqual([])
    const asked = OPERATION_REQUESTS.filter(({ url }) => url.startsWith('/console/')).map(
      ({ method, url }) =>
        `${method} ${url.replace(/\?.*/, '').replace(/(?<=\/(?:people|clients|sessions)\/)\w+/, ':id')}`,
    )
    const ofConsole = consoleRoutes(world).filter(({ method }) => method !== 'HEAD')
    expect(asked.sort()).toEqual(ofConsole.map(({ method, path }) => `${method} ${path}`).sort())
  })

  it('H9 answers 500 in the shape of the contract whatever fails', () =>
    reliabilityTest('H9', `calls that fail, on ${kind}`, async () => {
      const failed = new Map<string, number>()
      for (const row of OPERATION_REQUESTS) await failEveryCall(row, failed)
      expect(unhandled).toEqual([])
      const injected = [...failed.values()].reduce((sum, count) => sum + count, 0)
      expect(injected).toBeGreaterThan(OPERATION_REQUESTS.length)
      return `${injected} failures of ${failed.size} kinds of calls in ${OPERATION_REQUESTS.length} operations`
    }))

  it('H9 answers 500 whatever fails of a read that is repeated', async () => {
    // Whoever asks again is known, like a person with a session.
    const row = { ...NEXT, person: 'person' } as const
    const session = { authorization: `Bearer ${await world.application.tokens.issue(CLIENT)}` }
    const failed = new Set<string>()
    const checked = new Map<string, number>()
    for (let nth = 1; nth < MOST_CALLS; nth++) {
      for (const [what, thrown] of THROWN) {
        const good = await askWith(row, { session })
        expect(good.statusCode).toBe(200)
        const answer = await askWith(row, { session, arm: () => sites.arm(nth, thrown) })
        if (!sites.failed) {
          expect(failed.size).toBeGreaterThan(1)
          return
        }
        if (CHECKING.includes(sites.failed) && !checked.has(sites.failed)) checked.set(sites.failed, nth)
        if (checked.get(sites.failed) === nth) expect([answer.statusCode, answer.body]).toEqual([200, good.body])
        else requireTold(row, `a repeated read: ${sites.failed} throws ${what}`, sites.failed, answer)
        failed.add(sites.failed)
      }
    }
    throw new Error('the repeated read never got through')
  })

  /** Fails the first call, the second, and so on, until the request succeeds; the short form fails some, in one way. */
  async function failEveryCall(row: OperationRequest, failed: Map<string, number>): Promise<void> {
    const session = row.person ? await signedIn(world, row.person) : {}
    let before = await written.state()
    for (let nth = 1 + stepsOver(); nth < MOST_CALLS; nth += 1 + stepsOver()) {
      const one = Math.floor(random() * THROWN.length)
      for (const [what, thrown] of IS_FULL ? THROWN : THROWN.slice(one, one + 1)) {
        const answer = await askWith(row, { session, arm: () => sites.arm(nth, thrown) })
        if (!sites.failed) return requireGood(row, answer)
        const told = `${row.name}: ${sites.failed} throws ${what}`
        requireTold(row, told, sites.failed, answer)
        const after = await written.state()
        // The operations of a batch commit one after the other.
        const isMade = [201, 202].includes(answer.statusCode) || (row.url === '/v1/batch' && answer.statusCode === 200)
        const mayStay = isMade || [...AFTER_THE_COMMIT, ...COUNTED_BEFORE].includes(sites.failed)
        if (!mayStay) expect([told, after]).toEqual([told, before])
        before = after
        failed.set(sites.failed, (failed.get(sites.failed) ?? 0) + 1)
        expect([told, (await askWith(NEXT)).statusCode]).toEqual([told, 200])
      }
    }
    throw new Error(`${row.name} never got through`)
  }

  /** Sends the request with a new token, or in a session. */
  async function askWith(
    { method, url, body, headers, isOpen, isForAgents, person }: OperationRequest,
    { session = {}, arm = () => {} }: { session?: Readonly<Record<string, string>>; arm?: () => void } = {},
  ): Promise<typeof CUT> {
    const { tokens, agentTokens } = world.application
    const issued = isForAgents ? agentTokens.issue(CLIENT, 'mcp:read') : tokens.issue(CLIENT)
    const token = isOpen || person ? session : { authorization: `Bearer ${await issued}` }
    const all = { ...token, 'x-request-id': 'h9', ...headers }
    const request = {
      method,
      url,
      remoteAddress: uniqueAddress(),
      headers: all,
      ...(body === undefined ? {} : { payload: body }),
    }
    arm()
    try {
      return await sites.during(() => injectInto(world.application.server, request))
    } catch {
      return CUT
    } finally {
      sites.disarm()
    }
  }

  function requireGood({ name, method, url, status }: OperationRequest, { statusCode }: typeof CUT): void {
    const usual = method === 'POST' && !url.includes('validateOnly') ? 201 : 200
    expect([name, statusCode]).toEqual([name, status ?? usual])
  }

  function requireTold(
    { method, url, person }: OperationRequest,
    told: string,
    site: string,
    { statusCode, body, headers }: typeof CUT,
  ): void {
    if (statusCode === 0 && WHILE_SENT.includes(site)) return
    if ([200, 201, 202].includes(statusCode) && AFTER_THE_ANSWER.includes(site)) return
    if (statusCode === 200 && url === '/v1/batch') {
      requireToldWithin(told, body)
      return
    }
    const [status, plain] = TRUST.includes(site) && !person ? ([401, UNTRUSTED] as const) : ([500, FAILED] as const)
    const text = url.startsWith('/odata/') ? IN_ODATA.get(plain) : plain
    const whole = [statusCode, body, headers['x-request-id']]
    expect([told, ...whole]).toEqual([told, status, method === 'HEAD' ? '' : text, 'h9'])
  }

  /** An operation of a batch fails like a request of its own. */
  function requireToldWithin(told: string, body: string): void {
    const { responses } = JSON.parse(body) as { responses: { status: number; body: { requestId?: string } }[] }
    const failed = responses.find(({ status }) => status === 500)
    const text = JSON.stringify({ ...failed?.body, requestId: 'h9' })
    expect([told, failed?.body.requestId, text]).toEqual([told, expect.stringMatching(/^h9:\d+$/), FAILED])
  }
})
