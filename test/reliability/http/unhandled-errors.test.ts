// H9: whatever fails on a request's way, and however, the caller is told once that it failed, and nothing else; nothing is
// written, and the next request is answered. Every call of everything that a request goes through fails in its turn.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { JASPER } from '../../support/apart/companies.ts'
import { type ApartWorld, startApart } from '../../support/apart/records.ts'
import { type FaultSites, THROWN } from '../../support/faults/fault-sites.ts'
import { ROWS, type Row } from '../../support/faults/rows.ts'
import { watchApplication } from '../../support/faults/watched-application.ts'
import { type Written, watchWrites } from '../../support/faults/written.ts'
import { ownAddress } from '../../support/own-address.ts'
import { IS_FULL, randomNumbers, reliabilityTest, SEED } from '../../support/reliability-test.ts'
import { STORE_KINDS } from '../../support/world.ts'

const CLIENT = `writer-${JASPER.id}`
/** What everybody can still do afterwards. */
const NEXT: Row = { name: 'the next', method: 'GET', url: '/v1/attribute-values/C1/TWIN/0' }
const FAILED = '{"code":1000,"message":"Internal server error","requestId":"h9"}'
const UNTRUSTED = '{"statusCode":401,"message":"Invalid JWT."}'
/** The answer had begun: it is cut off, so that nobody takes it for a whole one. */
const CUT = { statusCode: 0, body: '', headers: {} as Record<string, unknown> }
/** What cannot be found out about a token makes it no better: such a call is refused. */
const TRUST = ['keys.verifying', 'keys.verifies', 'directory.callerOfClient']
/** After the answer nobody is told any more. */
const AFTER_THE_ANSWER = ['intake.discard']
/** In memory alone, when what was asked for is on disk: it stays, whole, although the answer to it failed. */
const AFTER_THE_COMMIT = ['service.onFileAdded', 'companies.require', 'companies.find', 'caller.rulesFor']
/** A secret counts as a wrong one before it is checked: that stays, whatever fails then. It is no record. */
const COUNTED_BEFORE = ['store.upsertCounters']
/** Files are read one after the other while they are sent. */
const WHILE_SENT = ['files.read', 'files.readChunks', 'pieces.next']
/** More calls than any request makes. */
const MOST_CALLS = 500

const random = randomNumbers(SEED)
const stepsOver = () => (IS_FULL ? 0 : Math.floor(random() * 6))

describe.each(STORE_KINDS)('H9 unhandled errors on %s', (kind) => {
  let world: ApartWorld
  let sites: FaultSites
  let written: Written
  const unhandled: unknown[] = []
  const note = (reason: unknown) => unhandled.push(reason)
  beforeAll(async () => {
    process.on('unhandledRejection', note)
    world = await startApart(kind, { companies: [JASPER] })
    // Reading texts is nobody's request: it has a trial of its own.
    await world.application.texts.stop()
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
    const rows = ROWS.flatMap(({ name }) => [name, ofTheSetup(name)])
    expect(described.filter((name) => !rows.includes(name) && !name.startsWith('GET /health'))).toEqual([])
  })

  it('H9 answers 500 in the shape of the contract whatever fails', { timeout: 300_000 }, () =>
    reliabilityTest('H9', `calls that fail, on ${kind}`, async () => {
      const failed = new Map<string, number>()
      for (const row of ROWS) await failEveryCall(row, failed)
      expect(unhandled).toEqual([])
      const injected = [...failed.values()].reduce((sum, count) => sum + count, 0)
      return `${injected} failures of ${failed.size} kinds of calls in ${ROWS.length} operations`
    }),
  )

  /** Fails the first call, the second, and so on, until the request gets through; in the short form some of them, in one way. */
  async function failEveryCall(row: Row, failed: Map<string, number>): Promise<void> {
    let before = await written.state()
    for (let nth = 1 + stepsOver(); nth < MOST_CALLS; nth += 1 + stepsOver()) {
      const one = Math.floor(random() * THROWN.length)
      for (const [what, thrown] of IS_FULL ? THROWN : THROWN.slice(one, one + 1)) {
        const answer = await askWith(row, () => sites.arm(nth, thrown))
        if (!sites.failed) return requireGood(row, answer)
        const told = `${row.name}: ${sites.failed} throws ${what}`
        requireTold(row, told, sites.failed, answer)
        const after = await written.state()
        const mayStay = answer.statusCode === 201 || [...AFTER_THE_COMMIT, ...COUNTED_BEFORE].includes(sites.failed)
        if (!mayStay) expect([told, after]).toEqual([told, before])
        before = after
        failed.set(sites.failed, (failed.get(sites.failed) ?? 0) + 1)
        expect([told, (await askWith(NEXT)).statusCode]).toEqual([told, 200])
      }
    }
    throw new Error(`${row.name} never got through`)
  }

  /** With a token that was never seen before. */
  async function askWith({ method, url, body, headers, isOpen }: Row, arm = () => {}): Promise<typeof CUT> {
    const token = isOpen ? {} : { authorization: `Bearer ${await world.application.tokens.issue(CLIENT)}` }
    const all = { ...token, 'x-request-id': 'h9', ...headers }
    const request = {
      method,
      url,
      remoteAddress: ownAddress(),
      headers: all,
      ...(body === undefined ? {} : { payload: body }),
    }
    arm()
    try {
      return await world.application.server.inject(request)
    } catch {
      return CUT
    } finally {
      sites.disarm()
    }
  }

  function requireGood({ name, method, url, status }: Row, { statusCode }: typeof CUT): void {
    const usual = method === 'POST' && !url.includes('validateOnly') ? 201 : 200
    expect([name, statusCode]).toEqual([name, status ?? usual])
  }

  function requireTold({ method }: Row, told: string, site: string, { statusCode, body, headers }: typeof CUT): void {
    if (statusCode === 0 && WHILE_SENT.includes(site)) return
    if (statusCode === 201 && AFTER_THE_ANSWER.includes(site)) return
    const [status, text] = TRUST.includes(site) ? [401, UNTRUSTED] : [500, FAILED]
    const whole = [statusCode, body, headers['x-request-id']]
    expect([told, ...whole]).toEqual([told, status, method === 'HEAD' ? '' : text, 'h9'])
  }
})
