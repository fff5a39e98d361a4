// Requests queue while the event loop is saturated, companies and clients in turn.
import type { Flow } from '../../base/concurrency/fair-queue.ts'
import { type QueueFigures, type Waiter, WaitingQueue } from '../../base/concurrency/waiting-queue.ts'
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
export type Run = (rejection?: Error) => void

interface QueuedRequest extends Waiter {
  readonly run: Run
}

export class EventLoopQueue {
  #turnStartedAt: number | undefined
  readonly #queue: WaitingQueue<QueuedRequest>

  constructor(maxWaitMs: number) {
    this.#queue = new WaitingQueue({
      waiting: MAX_WAITING,
      maxWaitMs,
      refusal: () => overloaded('event-loop'),
    })
  }

  get figures(): QueueFigures {
    return this.#queue.figures
  }

  /** Runs a request now or in its turn, or rejects it. */
  admit(flow: Flow, run: Run): void {
    this.#beginTurn()
    if (this.#queue.length > 0 || !this.#hasTime()) {
      this.#queue.push(flow, { run, failed: run })
      return
    }
    this.#queue.admittedAtOnce()
    run()
  }

  /** Unless a turn is under way, begins one; it ends when the event loop gets to its callbacks of `setImmediate`. */
  #beginTurn(): void {
    if (this.#turnStartedAt !== undefined) return
    this.#turnStartedAt = performance.now()
    setImmediate(this.#nextTurn)
  }

  readonly #nextTurn = (): void => {
    this.#turnStartedAt = undefined
    while (this.#queue.length > 0 && this.#hasTime()) {
      this.#beginTurn()
      this.#queue.shift()?.run()
    }
  }

  #hasTime(): boolean {
    return this.#turnStartedAt === undefined || performance.now() - this.#turnStartedAt < TURN_MS
  }
}
