// Whether who comes now has waited too long already, or would: then it is better told at once than answered late.
import { unavailable } from '../errors/catalogue.ts'
import type { Problem } from '../errors/problem.ts'

const RETRY_AFTER_SECONDS = [1, 5] as const

/** 503 for one of many: not all are told to come back at the same time. */
export function overloaded(): Problem {
  const [least, most] = RETRY_AFTER_SECONDS
  return unavailable('The service is overloaded.', least + Math.floor(Math.random() * (most - least + 1)))
}

/**
 * The requests that have arrived by the time the event loop looks are begun one after the other in one turn of it. The
 * later ones have waited for the earlier ones: beyond the limit they are refused, which costs next to nothing, so that
 * the turn ends and the next ones wait no longer than that.
 */
export class Pressure {
  readonly #mostDelayMs: number
  #turnBeganAt: number | undefined
  readonly #endTurn = (): void => {
    this.#turnBeganAt = undefined
  }

  /** `mostDelayMs`: what a request may wait for those before it in its turn. */
  constructor(mostDelayMs: number) {
    this.#mostDelayMs = mostDelayMs
  }

  /** Throws 503 for a request that begins too late. */
  check(): void {
    const now = performance.now()
    if (this.#turnBeganAt === undefined) {
      this.#turnBeganAt = now
      setImmediate(this.#endTurn)
    } else if (now - this.#turnBeganAt > this.#mostDelayMs) throw overloaded()
  }
}
