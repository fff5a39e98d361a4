// H10: no request of 8 kB blocks the service or costs more than a query may, and health answers meanwhile. A search
// generates expensive requests for their length and continues from the most expensive ones.
import { expect, it } from 'vitest'
import { type Cost, costOf } from '../../support/costly/cost.ts'
import { startCostly } from '../../support/costly/records.ts'
import { type Costly, changed, randomRequest, sentOf, turned } from '../../support/costly/requests.ts'
import { injectInto } from '../../support/inject.ts'
import { IS_FULL, randomNumbers, reliabilityTest, SEED, triesOf } from '../../support/reliability-test.ts'
import { FEWER_KINDS, onEachStore, type World } from '../../support/world.ts'

/** Requests for each store; two are tested. */
const REQUESTS = triesOf({ long: 25, full: 1_500 })
/** The short form is the same each time. */
const START = IS_FULL ? SEED : 10
/** The number of most expensive requests that the next ones are derived from. */
const KEPT = 12
/** In milliseconds of CPU time. New code takes longer until it is compiled. */
const MOST_HELD_MS = IS_FULL ? 50 : 100
const QUERY_TIMEOUT_MS = IS_FULL ? 500 : 200
/** A query ends at its timeout; then its reader, or backend, finishes its current step, and the service answers. */
const MOST_WHOLE_MS = QUERY_TIMEOUT_MS + 200
/** In milliseconds of elapsed time. */
const MOST_HEALTH_MS = 100

interface Tried extends Cost {
  readonly request: Costly
  readonly status: number
}

onEachStore(
  'H10: costly requests',
  (world) => {
    it('H10 no request of 8 kB blocks the service', { timeout: 3_600_000 }, () =>
      reliabilityTest('H10', 'search for requests that cost much', async () => {
        const random = randomNumbers(START)
        let worst: Tried[] = []
        let [refused, health] = [0, 0]
        for (let no = 0; no < REQUESTS; no++) {
          const parent = worst[Math.floor(random() * worst.length)]
          const request = parent && random() < 0.7 ? changed(random, parent.request) : randomRequest(random)
          const one = await tried(world(), request)
          if (one.status >= 400 && one.status < 500) refused++
          health = Math.max(health, one.health)
          worst = [...worst, one].sort((left, right) => shareOf(right) - shareOf(left)).slice(0, KEPT)
        }
        const again = await measured(world(), worst)
        const [held, whole] = [most(again, 'held'), most(again, 'whole')]
        health = Math.max(health, most(again, 'health').health)
        const figures = `${REQUESTS} requests, ${refused} refused, the worst holds ${held.held.toFixed(1)} ms of the processor (${held.status} ${describedRequest(held).slice(0, 60)}) and costs ${whole.whole.toFixed(0)} ms in all (${whole.status} ${describedRequest(whole).slice(0, 60)}), health within ${health.toFixed(0)} ms`
        expect(held.held, describedRequest(held)).toBeLessThan(MOST_HELD_MS)
        expect(whole.whole, describedRequest(whole)).toBeLessThan(MOST_WHOLE_MS)
        // On a busy machine health answers later; that it answers is checked in any case.
        if (IS_FULL) expect(health, figures).toBeLessThan(MOST_HEALTH_MS)
        return figures
      }),
    )
  },
  (kind) => startCostly(kind, { queryTimeoutMs: QUERY_TIMEOUT_MS }),
  FEWER_KINDS,
)

/** The cost as a fraction of the limit. */
function shareOf({ held, whole }: Cost): number {
  return Math.max(held / MOST_HELD_MS, whole / MOST_WHOLE_MS)
}

/** The minimum of three measurements, so that one-time costs such as compilation do not count. */
async function measured(world: World, worst: readonly Tried[]): Promise<Tried[]> {
  const again: Tried[] = []
  for (const { request } of worst) {
    const costs: Tried[] = []
    for (const by of [1, 2, 3]) costs.push(await tried(world, turned(request, by)))
    const least = (of: 'held' | 'whole') => Math.min(...costs.map((cost) => cost[of]))
    again.push({ ...(costs[0] as Tried), request, held: least('held'), whole: least('whole') })
  }
  return again
}

const most = (found: readonly Tried[], of: keyof Cost): Tried =>
  found.reduce((worst, one) => (one[of] > worst[of] ? one : worst))

function describedRequest({ request }: Tried): string {
  const { method = 'GET', url, body = '' } = sentOf(request, 0)
  return `${method} ${url} ${String(body)}`
}

let sent = 0

async function tried(world: World, request: Costly): Promise<Tried> {
  const { url, method = 'GET', body } = sentOf(request, sent++)
  const authorization = `Bearer ${await world.token('integration')}`
  const headers = { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
  const payload = body === undefined ? {} : { payload: body as string }
  let status = 0
  const cost = await costOf(world, async () => {
    // An answer that is cut off rejects.
    const answer = await injectInto(world.application.server, { url, method, headers, ...payload }).catch(
      () => undefined,
    )
    status = answer?.statusCode ?? 0
    // Text extraction runs after the answer.
    if (request.kind === 'file') await world.application.texts.settle()
  })
  if (status === 500) throw new Error(`${method} ${url} is answered 500`)
  return { request, status, ...cost }
}
