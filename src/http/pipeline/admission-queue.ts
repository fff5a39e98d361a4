// Admission control: requests queue while the event loop is saturated, companies and clients in turn; one whose
// expected wait exceeds the limit is rejected with 503 immediately.
import { FairQueue, type Flow } from '../../base/concurrency/fair-queue.ts'
import { ServiceTime } from '../../base/concurrency/service-time.ts'
import { unavailable } from '../../errors/catalogue.ts'
import type { Problem } from '../../errors/problem.ts'

const RETRY_AFTER_SECONDS = [1, 2, 3, 4, 5]
/**
 * How long one turn of the event loop may start queued requests; the rest wait for the next turns. The event loop
 * accepts one new connection per turn and reads from the others, so long turns would delay both, and health checks too.
 */
const TURN_MS = 2
/** As many as there may be connections. */
const MAX_WAITING = 2_000

/** Made once, because a rejection under overload must cost next to nothing. */
const REJECTIONS = RETRY_AFTER_SECONDS.map((seconds) => unavailable('The service is overloaded.', seconds))

/** 503 with a random `Retry-After`, so that the rejected clients do not all retry at the same time. */
export function overloaded(): Problem {
  return REJECTIONS[Math.floor(Math.random() * REJECTIONS.length)]!
}

/** Starts a request, or rejects it. */
export type Run = (rejection?: Problem) => void

interface Waiting {
  readonly run: Run
  readonly since: number
}

export class AdmissionQueue {
  readonly #maxDelayMs: number
  #turnStartedAt: number | undefined
  readonly #queue = new FairQueue<Waiting>(MAX_WAITING)
  readonly #serviceTime = new ServiceTime()

  /** `maxDelayMs`: how long a request may wait in the queue. */
  constructor(maxDelayMs: number) {
    this.#maxDelayMs = maxDelayMs
  }

  /** Runs a request now or in its turn. Rejects it if its turn comes too late: at once, if that can be predicted. */
  admit(flow: Flow, run: Run): void {
    const now = performance.now()
    if (this.#turnStartedAt === undefined) {
      this.#turnStartedAt = now
      setImmediate(this.#nextTurn)
    }
    if (this.#queue.length === 0 && now - this.#turnStartedAt < TURN_MS) run()
    else if (this.#serviceTime.expectedWaitMs(this.#queue.ahead(flow)) > this.#maxDelayMs) run(overloaded())
    else this.#queue.push(flow, { run, since: now })?.run(overloaded())
  }

  readonly #nextTurn = (): void => {
    this.#turnStartedAt = undefined
    if (this.#queue.length === 0) return
    const startedAt = performance.now()
    this.#turnStartedAt = startedAt
    let started = 0
    const queue = this.#queue
    for (let now = startedAt; queue.length > 0 && now - startedAt < TURN_MS; now = performance.now()) {
      const { run, since } = queue.shift() as Waiting
      started++
      if (now - since > this.#maxDelayMs) run(overloaded())
      else run()
    }
    setImmediate(() => this.#endTurn(startedAt, started))
  }

  /** The time of a turn includes everything else that the event loop did in it, such as reading and sending. */
  #endTurn(startedAt: number, started: number): void {
    this.#serviceTime.record(started, performance.now() - startedAt)
    this.#nextTurn()
  }
}
