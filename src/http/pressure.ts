// Who comes while there is more to do than can be done waits, companies and clients in turn, and is told so at once when that
// takes too long.
import { FairQueue, type Flow } from '../base/fair-queue.ts'
import { Pace } from '../base/pace.ts'
import { unavailable } from '../errors/catalogue.ts'
import type { Problem } from '../errors/problem.ts'

const RETRY_AFTER_SECONDS = [1, 2, 3, 4, 5]
/**
 * The event loop takes on one new connection a turn, and reads from the others: with long turns both would wait, health
 * checks among them. So the requests of one turn are begun within this time, and the others in the next turns.
 */
const TURN_MS = 2
/** As many as there may be connections. */
const MOST_WAITING = 2_000

/** Made once: what is refused because there is too much to do must cost next to nothing. */
const REFUSALS = RETRY_AFTER_SECONDS.map((seconds) => unavailable('The service is overloaded.', seconds))

/** 503 for one of many: not all are told to come back at the same time. */
export function overloaded(): Problem {
  return REFUSALS[Math.floor(Math.random() * REFUSALS.length)]!
}

/** Goes on with a request, or refuses it. */
export type Begin = (refusal?: Problem) => void

interface Waiting {
  readonly begin: Begin
  readonly since: number
}

export class Pressure {
  readonly #mostDelayMs: number
  #turnBeganAt: number | undefined
  readonly #line = new FairQueue<Waiting>(MOST_WAITING)
  readonly #pace = new Pace()

  /** `mostDelayMs`: how long a request may wait before it is begun. */
  constructor(mostDelayMs: number) {
    this.#mostDelayMs = mostDelayMs
  }

  /** Begins a request, now or in its turn; with a refusal when that does not come in time, at once when that can be seen. */
  admit(flow: Flow, begin: Begin): void {
    const now = performance.now()
    if (this.#turnBeganAt === undefined) {
      this.#turnBeganAt = now
      setImmediate(this.#nextTurn)
    }
    if (this.#line.length === 0 && now - this.#turnBeganAt < TURN_MS) begin()
    else if (this.#pace.waitMs(this.#line.ahead(flow)) > this.#mostDelayMs) begin(overloaded())
    else this.#line.push(flow, { begin, since: now })?.begin(overloaded())
  }

  readonly #nextTurn = (): void => {
    this.#turnBeganAt = undefined
    if (this.#line.length === 0) return
    const beganAt = performance.now()
    this.#turnBeganAt = beganAt
    let begun = 0
    const line = this.#line
    for (let now = beganAt; line.length > 0 && now - beganAt < TURN_MS; now = performance.now()) {
      const { begin, since } = line.shift() as Waiting
      begun++
      if (now - since > this.#mostDelayMs) begin(overloaded())
      else begin()
    }
    setImmediate(() => this.#endTurn(beganAt, begun))
  }

  /** With all that was done beside: what came was read, answers were sent. */
  #endTurn(beganAt: number, begun: number): void {
    this.#pace.moved(begun, performance.now() - beganAt)
    this.#nextTurn()
  }
}
