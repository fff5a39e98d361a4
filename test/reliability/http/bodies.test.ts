// H3: a body that is hard to parse is accepted or rejected alike on every route, in the shape of the contract, without
// blocking the event loop or growing the process.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type DescribedOperation, Description } from '../../support/api-fuzz/description.ts'
import { askedOf, type Draft, goodDraft } from '../../support/api-fuzz/good-request.ts'
import { Reached, Session } from '../../support/api-fuzz/session.ts'
import { BODY_CASES, type BodyCase, LIMIT_BYTES } from '../../support/body-cases.ts'
import { credentials, kill, type Serving, serve, temporaryFolder } from '../../support/process.ts'
import { IS_FULL, IS_LONG, reliabilityTest, SEED } from '../../support/reliability-test.ts'
import { FEWER_KINDS, onEachStore, startWorld, type World } from '../../support/world.ts'

const SETUP = 'test/fixtures/fuzz.yaml'
/** All routes read their bodies in one place: the short form sends each case to a third of them. */
const SHARE = IS_LONG ? 1 : 3

onEachStore(
  'H3: bodies',
  (world) => {
    it('H3 hard bodies are rejected or accepted as the contract says', () =>
      reliabilityTest('H3', 'hard bodies on every route', async () => {
        const description = new Description((await world().send({ url: '/openapi.json' })).json)
        // A batch has limits of its own, and takes no member that it does not know: its tests have these bodies too.
        const operations = description.operations.filter(
          ({ bodySchema, isOpen, id }) => bodySchema && !isOpen && id !== 'sendBatch',
        )
        const found: string[] = []
        let tried = 0
        for (const [at, operation] of operations.entries()) {
          const cases = BODY_CASES.filter((_one, number) => (number + at) % SHARE === 0)
          tried += await tryRoute(world(), description, { operation, cases }, found)
        }
        expect(found).toEqual([])
        return `${tried} bodies on ${operations.length} routes`
      }))
  },
  (kind) => startWorld(kind, SETUP),
  FEWER_KINDS,
)

/** Sends the cases to one route; then checks that the rejected ones have left nothing behind. */
async function tryRoute(
  world: World,
  description: Description,
  { operation, cases }: { readonly operation: DescribedOperation; readonly cases: readonly BodyCase[] },
  found: string[],
): Promise<number> {
  const session = new Session(world, description, new Reached())
  session.reseed(SEED)
  const attempt = (bodyCase: BodyCase, draft: Draft) =>
    session.send(askedFor(bodyCase, draft)).catch((error: Error) => found.push(error.message.slice(0, 1_000)))
  for (const bodyCase of cases.filter(({ expected }) => expected === 'taken')) {
    session.made.length = 0
    await attempt(bodyCase, await goodDraft(session, operation))
  }
  const draft = await goodDraft(session, operation)
  const before = await entriesOf(world)
  for (const bodyCase of cases.filter(({ expected }) => expected !== 'taken')) await attempt(bodyCase, draft)
  if ((await entriesOf(world)) !== before) found.push(`${operation.id}: a refused body has left something behind`)
  return cases.length
}

function askedFor({ name, expected, headers, make }: BodyCase, draft: Draft) {
  const body = make(JSON.stringify(draft.body))
  return askedOf(
    {
      ...draft,
      query: [],
      headers: { 'content-type': 'application/json', ...headers },
      body,
      expected: expected === 'taken' ? draft.expected : [expected],
    },
    name,
  )
}

async function entriesOf(world: World): Promise<number> {
  const [row] = await world.query('select count(*) as n from audit_entry')
  return Number(row?.n)
}

/** The number of warm-up requests with each of the most expensive bodies. */
const WARM_UP = 10
const WORST = 20
/** The permitted growth beyond the earlier peak with the same bodies. */
const MOST_GROWTH_MB = 20
const MOST_DELAY_MS = 50
/** Compared with legal bodies, whose latency includes the load of the machine too. */
const MOST_TIMES_LEGAL = 3

describe.runIf(IS_FULL)('H3: the service and its worst bodies', () => {
  it('H3 neither blocks nor grows', () =>
    reliabilityTest('H3', 'event loop and memory under the worst bodies', async () => {
      const folder = temporaryFolder()
      const service = await serve(['--data', folder.path, '--setup', SETUP])
      try {
        const [worst, legal] = [worstBodies(), legalBodies()]
        const first = await costOf(service, worst, WARM_UP)
        const usual = await costOf(service, legal, WORST)
        const cost = await costOf(service, worst, WORST)
        const grown = cost.peakMb - Math.max(first.peakMb, usual.peakMb)
        const late = `event loop at most ${cost.lateMs.toFixed(0)} ms late (${usual.lateMs.toFixed(0)} under legal ones)`
        const figures = `${worst.length * WORST} bodies, ${late}, peak of ${cost.peakMb.toFixed(0)} MB, ${grown.toFixed(0)} MB more than before`
        const isInTime = cost.lateMs <= Math.max(MOST_DELAY_MS, MOST_TIMES_LEGAL * usual.lateMs)
        expect([isInTime, grown <= MOST_GROWTH_MB], figures).toEqual([true, true])
        return figures
      } finally {
        await kill(service)
        folder.remove()
      }
    }))
})

interface Cost {
  /** The maximum event loop delay of the service. */
  readonly lateMs: number
  readonly peakMb: number
}

/** Sends all bodies this many times. */
async function costOf(service: Serving, bodies: readonly Worst[], times: number): Promise<Cost> {
  await delayOf(service)
  const costs: Cost[] = []
  for (let time = 0; time < times; time++) {
    for (const [path, body, expected] of bodies) await post(service, path, body, expected)
    costs.push({ lateMs: await delayOf(service), peakMb: residentMb(service) })
  }
  return {
    lateMs: Math.max(...costs.map(({ lateMs }) => lateMs)),
    peakMb: Math.max(...costs.map(({ peakMb }) => peakMb)),
  }
}

type Worst = readonly [path: string, body: Buffer, expected: number]

function worstBodies(): Worst[] {
  const [values, documents] = ['/v1/attribute-values', '/v1/documents']
  const of = (_name: string, path: string, text: string, expected: number): Worst => [path, Buffer.from(text), expected]
  const large = [
    of('deep', values, '['.repeat(LIMIT_BYTES - 10), 400),
    of('deeper than the limit', values, '['.repeat(2_000_000), 413),
    of('many keys', values, `{${Array.from({ length: 90_000 }, (_, index) => `"k${index}":1`).join()}}`, 400),
    of('lists', values, `[${`${'['.repeat(30)}${']'.repeat(30)},`.repeat(17_000)}1]x`, 400),
    of('escapes', values, `{"description":"${'\\n'.repeat(500_000)}\\ud800"}`, 400),
    of('a number', values, `[${'1'.repeat(LIMIT_BYTES - 10)}]`, 400),
    of('blanks', values, ' '.repeat(LIMIT_BYTES - 10), 400),
    of('quotes', values, `["${'\\"'.repeat(500_000)}`, 400),
    of('deep beside a file', documents, `{"x":${'['.repeat(1_000_000)}`, 400),
    of('no base64', documents, `{"fileContent":"${'@'.repeat(1_000_000)}"}`, 400),
  ]
  return IS_FULL ? [...large, of('68 MiB and a byte', documents, ' '.repeat(68 * LIMIT_BYTES + 1), 413)] : large
}

/** Bodies of the maximum size that are parsed completely. */
function legalBodies(): Worst[] {
  const body = { attributeId: 'C6', attributeValue: 'LEGAL', passedOver: 'x'.repeat(LIMIT_BYTES - 200) }
  return Array.from({ length: 5 }, () => [
    '/v1/attribute-values?validateOnly=true',
    Buffer.from(JSON.stringify(body)),
    200,
  ])
}

async function post({ address }: Serving, path: string, body: Buffer, expected: number): Promise<void> {
  const answer = await fetch(address + path, {
    method: 'POST',
    headers: { authorization: credentials, 'content-type': 'application/json' },
    body: new Uint8Array(body),
  }).catch((error: Error) => error)
  // A body that is rejected by its length need not be read: the connection may be closed while it is sent.
  if (answer instanceof Error && expected === 413) return
  if (answer instanceof Error) throw answer
  expect({ path, bytes: body.length, status: answer.status }).toEqual({ path, bytes: body.length, status: expected })
  await answer.arrayBuffer()
}

/** The maximum event loop delay since the last call, in milliseconds. */
async function delayOf({ address }: Serving): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text()
  const [, seconds] = /^nodejs_eventloop_lag_seconds\{quantile="1"\} (\S+)/m.exec(text) ?? []
  if (seconds === undefined) throw new Error('the service does not tell how late its event loop is')
  return Number(seconds) * 1_000
}

function residentMb({ child }: Serving): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1_024
}
