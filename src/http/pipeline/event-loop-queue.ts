// Requests that arrive in a turn of the event loop start together, companies and clients in turn; while it is
// saturated, some wait for the next turns.
import type { Flow } from '../../base/concurrency/fair-queue.ts'
import { type QueueFigures, type Waiter, WaitingQueue } from '../../base/concurrency/waiting-queue.ts'
import type { SharedReads } from '../../base/shared-reads.ts'
import { unavailable } from '../../errors/catalogue.ts'
import type { Problem } from '../../errors/problem.ts'

const RETRY_AFTER_SECONDS = [1, 2, 3, 4, 5]
/**
 * How long one turn of the event loop may start requests, when it has received all that there are; the rest wait for
 * the next turns. The event loop accepts one new connection per turn and reads from the others, so long turns would
 * delay both, and health checks too.
 */
const TURN_MS = 2
/** As many as there may be connections. */
const MAX_WAITING = 2_000

/** Made once, because a rejection under overload must cost next to nothing. */
const REJECTIONS = {
  'event-loop': rejectionsFor('the request waited too long for its turn (queue event-loop)'),
  'in-flight': rejectionsFor('too many requests are in flight (queue requests)'),
}

function rejectionsFor(reason: string): readonly Problem[] {
  return RETRY_AFTER_SECONDS.map((seconds) => unavailable('The service is overloaded.', seconds, undefined, reason))
}

/** 503 with a random `Retry-After`, so that the rejected clients do not all retry at the same time. */
export function overloaded(bound: keyof typeof REJECTIONS): Problem {
  const rejections = REJECTIONS[bound]
  return rejections[Math.floor(Math.random() * rejections.length)]!
}

/** Starts a request, or rejects it. */
type Run = (rejection?: Error) => void

interface QueuedRequest extends Waiter {
  readonly run: Run
}

export class EventLoopQueue {
  #hasTurn = false
  readonly #queue: WaitingQueue<QueuedRequest>
  readonly #reads: SharedReads | undefined

  /** `reads`: what the requests of a turn read is of one snapshot. */
  constructor(maxWaitMs: number, reads?: SharedReads) {
    this.#reads = reads
    this.#queue = new WaitingQueue({
      waiting: MAX_WAITING,
      maxWaitMs,
      refusal: () => overloaded('event-loop'),
    })
  }

  get figures(): QueueFigures {
    return this.#queue.figures
  }

  /** Runs a request in its turn, or rejects it. */
  admit(flow: Flow, run: Run): void {
    this.#queue.push(flow, { run, failed: run })
    this.#prepareTurn()
  }

  #prepareTurn(): void {
    if (this.#hasTurn) return
    this.#hasTurn = true
    setImmediate(this.#runTurn)
    // Follows at once, when what has been started waits: before anything is received or committed.
    if (this.#reads) setImmediate(this.#endReads)
  }

  readonly #runTurn = (): void => {
    this.#hasTurn = false
    if (this.#queue.length > 1) this.#reads?.begin()
    const until = performance.now() + TURN_MS
    do this.#queue.shift()?.run()
    while (this.#queue.length > 0 && performance.now() < until)
    if (this.#queue.length > 0) this.#prepareTurn()
  }

  readonly #endReads = (): void => this.#reads?.end()
}
