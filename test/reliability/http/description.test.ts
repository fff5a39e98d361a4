// H1: every answer is one that the service's own description declares: its status, type, headers and body. First every
// fault and every variant on every operation, then random sequences of up to 12 calls, in which calls read, change and
// delete what earlier ones have created.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { VALIDATE_ONLY } from '../../../src/http/openapi/endpoints.ts'
import { FAULTS } from '../../support/api-fuzz/bad-request.ts'
import { Description } from '../../support/api-fuzz/description.ts'
import { goodDraft, perform } from '../../support/api-fuzz/good-request.ts'
import { Reached, Session } from '../../support/api-fuzz/session.ts'
import { VARIANTS } from '../../support/api-fuzz/variants.ts'
import { wildDraft } from '../../support/api-fuzz/wild-request.ts'
import { IS_FULL, reliabilityTest, SEED, triesOf } from '../../support/reliability-test.ts'
import { FEWER_KINDS, onEachStore, startWorld, type World } from '../../support/world.ts'

/** Requests for each store; two are tested. The sweep of the short form takes them all: random ones are few. */
const REQUESTS = triesOf({ long: 2_300, full: 100_000 })
const MOST_MS = IS_FULL ? 150_000 : 30_000
/** Concurrent clients, each with records of its own. */
const CLIENTS = 4
/** The average number, including the requests that a call needs before it. */
const REQUESTS_OF_A_RUN = 30

/**
 * A healthy service cannot be made to answer with a bug or an overload; the setup has no limits, and all that the
 * journal has had is kept.
 */
const NOT_FOR_THE_ASKING = new Set(['408', '410', '429', '500', '503'])

interface Step {
  readonly operation: string
  readonly kind: 'good' | 'fault' | 'variant' | 'wild'
  readonly entropy: number
}

onEachStore(
  'H1: answers and the description of the service',
  (world) => {
    it('H1 no answer is outside the description', () =>
      reliabilityTest('H1', 'answers outside the description', async () => {
        const description = await descriptionOf(world())
        const reached = new Reached()
        const began = performance.now()
        await tryEverythingOnce(world(), description, reached)
        const swept = reached.requests
        await trySequences(world(), description, reached)
        expect(unreached(description, reached)).toEqual([])
        const { requests, slowestMs, slowest } = reached
        const rate = Math.round((requests / (performance.now() - began)) * 1_000)
        return `${requests} requests (${swept} of the sweep) to ${description.operations.length} operations, ${rate} a second, slowest ${Math.round(slowestMs)} ms (${slowest})`
      }))
  },
  (kind) => startWorld(kind, 'test/fixtures/fuzz.yaml'),
  FEWER_KINDS,
)

async function descriptionOf(world: World): Promise<Description> {
  return new Description((await world.send({ url: '/openapi.json' })).json)
}

/** All failures are reported together. */
async function tryEverythingOnce(world: World, description: Description, reached: Reached): Promise<void> {
  const found: string[] = []
  const attempt = (run: () => Promise<unknown>) => run().catch((error: Error) => found.push(error.message))
  for (const [index, operation] of description.operations.entries()) {
    const session = new Session(world, description, reached)
    session.reseed(SEED + index)
    await attempt(async () => perform(session, await goodDraft(session, operation)))
    for (const fault of FAULTS.filter((one) => one.applies(operation))) {
      for (const asked of fault.requests(session, await goodDraft(session, operation))) {
        await attempt(() => session.send(asked))
      }
    }
    for (const variant of VARIANTS.filter((one) => one.applies(operation))) {
      await attempt(() => variant.run(session, operation))
    }
  }
  expect(found).toEqual([])
}

async function trySequences(world: World, description: Description, reached: Reached): Promise<void> {
  const step: fc.Arbitrary<Step> = fc.record({
    operation: fc.constantFrom(...description.operations.map(({ id }) => id)),
    kind: fc.constantFrom('good', 'good', 'good', 'fault', 'variant', 'wild', 'wild', 'wild'),
    entropy: fc.nat(),
  })
  const sequence = fc.array(step, { minLength: 1, maxLength: 12, size: 'max' })
  const sideBySide = fc.array(sequence, { minLength: 1, maxLength: CLIENTS, size: 'max' })
  const numRuns = Math.ceil(Math.max(REQUESTS - reached.requests, 1) / REQUESTS_OF_A_RUN)
  // Time may interrupt a run: its requests are waited for, or they would go on while the service stops.
  let last = Promise.resolve()
  const tried = fc.asyncProperty(sideBySide, (sequences) => {
    last = takeSideBySide(world, description, reached, sequences)
    return last
  })
  const limits = { interruptAfterTimeLimit: MOST_MS, markInterruptAsFailure: false, endOnFailure: false }
  await fc.assert(tried, { seed: SEED, numRuns, ...limits })
  await last
}

async function takeSideBySide(
  world: World,
  description: Description,
  reached: Reached,
  sequences: readonly (readonly Step[])[],
): Promise<void> {
  const ended = await Promise.allSettled(sequences.map((steps) => takeAll(world, description, reached, steps)))
  const failed = ended.find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
}

async function takeAll(
  world: World,
  description: Description,
  reached: Reached,
  steps: readonly Step[],
): Promise<void> {
  const session = new Session(world, description, reached)
  for (const one of steps) await take(session, one)
}

async function take(session: Session, { operation: id, kind, entropy }: Step): Promise<void> {
  session.reseed(entropy)
  const { chance } = session
  const operation = session.description.operation(id)
  if (kind === 'variant') {
    const variants = VARIANTS.filter((one) => one.applies(operation))
    if (variants.length > 0) await chance.pick(variants).run(session, operation)
    return
  }
  const draft = await goodDraft(session, operation)
  if (kind === 'good') await perform(session, draft)
  // What is wrong with a request is not looked at where there is no record.
  if (kind === 'fault' && !draft.record?.isDeleted) {
    const faults = FAULTS.filter((one) => one.applies(operation))
    const requests = chance.pick(faults).requests(session, draft)
    if (requests.length > 0) await session.send(chance.pick(requests))
  }
  if (kind === 'wild') {
    const before = session.made.length
    await perform(session, wildDraft(chance, draft), 'anything')
    // Records that random calls have created are not used by legal ones.
    if (operation.method === 'POST') session.made.length = before
  }
}

/** The documented answers of each operation that no request received. */
function unreached({ operations }: Description, { statuses }: Reached): string[] {
  return operations.flatMap(({ id, responses }) =>
    Object.keys(responses)
      .filter(
        (status) =>
          !NOT_FOR_THE_ASKING.has(status) && !statuses.get(id)?.has(status === VALIDATE_ONLY ? 200 : Number(status)),
      )
      .map((status) => `${id} ${status}`),
  )
}
