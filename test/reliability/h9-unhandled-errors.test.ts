// H9: whatever fails on a request's way, and however, the caller is told once that it failed, and nothing else; nothing is
// written, and the next request is answered. Every call of everything that a request goes through fails in its turn.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { JASPER } from '../support/apart/companies.ts'
import { OPEN, OPERATIONS } from '../support/apart/operations.ts'
import { type ApartWorld, SHARED, startApart } from '../support/apart/records.ts'
import { type FaultSites, THROWN } from '../support/faults/fault-sites.ts'
import { watchApplication } from '../support/faults/watched-application.ts'
import { type Written, watchWrites } from '../support/faults/written.ts'
import { trial, triesOf } from '../support/trial.ts'
import { type Sent, STORE_KINDS } from '../support/world.ts'

const CLIENT = `writer-${JASPER.id}`
const KNOWN = '/v1/attribute-values/C1/TWIN/0'
const FAILED = '{"code":1000,"message":"Internal server error","requestId":"h9"}'
const UNTRUSTED = '{"statusCode":401,"message":"Invalid JWT."}'
/** What cannot be found out about a token makes it no better: such a call is refused. */
const TRUST = ['keys.verifying', 'keys.verifies', 'directory.callerOfClient']
/** The answer had begun: it is cut off, so that nobody takes it for a whole one. */
const CUT = { statusCode: 0, body: '', headers: {} as Record<string, unknown> }
/** More calls than any request makes. */
const MOST_CALLS = 500

interface Row {
  readonly name: string
  readonly method: NonNullable<Sent['method']>
  readonly url: string
  readonly body?: unknown
}

/** What fails without the answer failing, by operation. */
const SPARED: Readonly<Record<string, readonly string[]>> = {}

const ROWS: readonly Row[] = Object.entries(OPERATIONS).map(([name, { method, path, needs, body }]) => ({
  name,
  method,
  url: needs ? `${path(SHARED)}?${needs}` : path(SHARED),
  ...(body ? { body: body(SHARED, JASPER) } : {}),
})).sort((one, other) => Number(one.method === 'DELETE') - Number(other.method === 'DELETE'))

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

  const ask = async ({ method, url, body }: Row) => {
    const authorization = `Bearer ${await world.application.tokens.issue(CLIENT)}`
    const headers = { authorization, 'x-request-id': 'h9', ...(body ? { 'content-type': 'application/json' } : {}) }
    const payload = body ? { payload: JSON.stringify(body) } : {}
    return { answer: () => world.application.server.inject({ method, url, headers, ...payload }) }
  }

  it('H9 answers 500 in the shape of the contract whatever fails', () =>
    trial('H9', `calls that fail, on ${kind}`, async () => {
      const faults = { injected: 0 }
      const wrong: string[] = []
      for (const row of ROWS) {
        const out = await failEveryCall(row, faults)
        wrong.push(...out)
      }
      console.log([...new Set(wrong.map((one) => one.replace('v1/', '').slice(0, 230)))].filter((one) => !/throws a text|aluess/.test(one)).join('\n'))
      expect(unhandled).toEqual([])
      return `${faults.injected} failures in ${ROWS.length} operations`
    }))

  /** Fails the first call, the second, and so on, until the request gets through; gives what was answered wrongly. */
  async function failEveryCall(row: Row, faults: { injected: number }): Promise<string[]> {
    const wrong: string[] = []
    for (let nth = 1; nth < MOST_CALLS; nth++) {
      for (const [what, thrown] of THROWN) {
        const { answer } = await ask(row)
        const before = await written.state()
        sites.arm(nth, thrown)
        const { statusCode, body, headers } = await answer().catch(() => CUT)
        sites.disarm()
        if (!sites.failed) {
          if (statusCode > 201) wrong.push(`${row.name}: ${statusCode} ${body}`)
          return wrong
        }
        faults.injected += 1
        const told = `${row.name}: ${sites.failed} throws ${what}: ${statusCode} ${body.slice(0, 80)}`
        const [status, text] = TRUST.includes(sites.failed) ? [401, UNTRUSTED] : [500, FAILED]
        const isRight = statusCode === status && body === (row.method === 'HEAD' ? '' : text) && headers['x-request-id'] === 'h9'
        if (!isRight) wrong.push(told)
        if ((await written.state()) !== before) wrong.push(`${told}, and wrote`)
        const next = await ask({ name: '', method: 'GET', url: KNOWN })
        if ((await next.answer()).statusCode !== 200) wrong.push(`${told}, and then the next fails`)
      }
    }
    throw new Error(`${row.name} never got through`)
  }
})
