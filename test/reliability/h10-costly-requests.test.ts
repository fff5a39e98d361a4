// H10: no request of 8 kB holds up the service. A search makes requests that cost as much as they can for their length, and
// goes on from those that cost most; what the thread that serves has worked for each is what others have waited.
import { expect, it } from 'vitest'
import { startCostly } from '../support/costly/records.ts'
import { type Costly, changed, randomRequest, sentOf, turned } from '../support/costly/requests.ts'
import { IS_FULL, randomNumbers, SEED, trial, triesOf } from '../support/trial.ts'
import { onEachStore, type World } from '../support/world.ts'

/** Of one store; two are tried. */
const REQUESTS = triesOf({ short: 60, full: 1_500 })
/** The short form is the same each time. */
const START = IS_FULL ? SEED : 10
/** Of the requests that cost most; the next ones are made of them. */
const KEPT = 12
/** In milliseconds of the processor. What is new to the compiler and the collector takes its time at first. */
const MOST_MS = IS_FULL ? 50 : 100
const QUERY_TIMEOUT_MS = IS_FULL ? 500 : 200

interface Tried {
  readonly request: Costly
  readonly ms: number
  readonly status: number
}

onEachStore(
  'H10: costly requests',
  (world) => {
    it('H10 no request of 8 kB holds up the service', { timeout: 3_600_000 }, () =>
      trial('H10', 'search for requests that cost much', async () => {
        const random = randomNumbers(START)
        let worst: Tried[] = []
        let refused = 0
        for (let no = 0; no < REQUESTS; no++) {
          const parent = worst[Math.floor(random() * worst.length)]
          const request = parent && random() < 0.7 ? changed(random, parent.request) : randomRequest(random)
          const ms = await costOf(world(), request)
          if (ms.status >= 400 && ms.status < 500) refused++
          worst = [...worst, { request, ...ms }].sort((one, other) => other.ms - one.ms).slice(0, KEPT)
        }
        const again = await measured(world(), worst)
        const [most] = again.toSorted((one, other) => other.ms - one.ms)
        const what = most && sentOf(most.request, 0)
        const told = `${what?.method} ${what?.url} ${String(what?.body ?? '')}`
        expect(most?.ms, told).toBeLessThan(MOST_MS)
        return `${REQUESTS} requests, ${refused} refused, the worst ${most?.ms.toFixed(1)} ms (${worst[0]?.ms.toFixed(1)} when it was new) of the processor (${most?.status} ${told.slice(0, 60)})`
      }),
    )
  },
  (kind) => startCostly(kind, { queryTimeoutMs: QUERY_TIMEOUT_MS }),
)

/** What costs much only once, as code that is new, is no cost of the request: the least of three. */
async function measured(world: World, worst: readonly Tried[]): Promise<Tried[]> {
  const again: Tried[] = []
  for (const { request } of worst) {
    const costs: { ms: number; status: number }[] = []
    for (const by of [1, 2, 3]) costs.push(await costOf(world, turned(request, by)))
    const [least] = costs.sort((one, other) => one.ms - other.ms)
    if (least) again.push({ request, ...least })
  }
  return again
}

let sent = 0

/** The longest that the thread has worked without turning to anybody else, in milliseconds of the processor. */
async function longestHold(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let before = process.threadCpuUsage()
  const look = () => {
    const { user, system } = process.threadCpuUsage(before)
    longest = Math.max(longest, (user + system) / 1_000)
    before = process.threadCpuUsage()
  }
  const timer = setInterval(look, 1)
  try {
    await work()
  } finally {
    clearInterval(timer)
    look()
  }
  return longest
}

async function costOf(world: World, request: Costly): Promise<{ ms: number; status: number }> {
  const { url, method = 'GET', body } = sentOf(request, sent++)
  const authorization = `Bearer ${await world.token('integration')}`
  const headers = { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
  const payload = body === undefined ? {} : { payload: body as string }
  let status = 0
  const ms = await longestHold(async () => {
    // An answer that is stopped in its middle is none.
    const answer = await world.application.server.inject({ url, method, headers, ...payload }).catch(() => undefined)
    status = answer?.statusCode ?? 0
  })
  if (status === 500) throw new Error(`${method} ${url} is answered 500`)
  return { ms, status }
}
