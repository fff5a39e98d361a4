// Counts wrong secrets per client and address, across all processes on a store, to prevent brute-force attacks.
// Unknown client ids of an address are counted together.
import { LRUCache } from 'lru-cache'
import { type SharedUsages, SlidingWindow } from '../base/concurrency/sliding-window.ts'
import { secondsOf, tooMany } from '../errors/catalogue.ts'
import { Problem } from '../errors/problem.ts'

/** Within a minute. A program with an outdated secret does not get near this. */
export const MOST_WRONG_SECRETS = 30
/** A minute together with the current step. */
const WINDOW_MS = 55_000
const STEP_MS = 5_000
/** Each check takes some 50 ms, so there cannot be more attackers than this within a minute. */
const REMEMBERED = 20_000
const KIND = 'wrong-secrets'
const FORGET_MS = 60_000
/** Longer than any window of shared usage. */
const KEPT_MS = 10 * 60_000

export class FailedLogins {
  readonly #shared: SharedUsages
  readonly #windows = new LRUCache<string, SlidingWindow>({ max: REMEMBERED })
  #forgottenAt = 0

  constructor(shared: SharedUsages) {
    this.#shared = shared
  }

  /** Throws 429 after too many wrong secrets within a minute, as far as this process knows. */
  refuseTooMany(guesser: string): void {
    this.#requireFewer(guesser, MOST_WRONG_SECRETS - 1)
  }

  /** Whether there was a wrong one within the minute. */
  hasBegun(guesser: string): boolean {
    return this.#windowOf(guesser).usedUntil(Date.now()) > 0
  }

  /** Counts a secret before it is checked, as a wrong one. Throws 429 when there were too many within the minute. */
  async begin(guesser: string): Promise<void> {
    this.refuseTooMany(guesser)
    const now = Date.now()
    const window = this.#windowOf(guesser)
    window.add(1, now)
    await this.#tell(guesser, window, new Map([[window.stepAt(now), 1]]))
    this.#requireFewer(guesser, MOST_WRONG_SECRETS)
  }

  /** Withdraws the counts, after the correct secret. */
  async forget(guesser: string): Promise<void> {
    const window = this.#windowOf(guesser)
    const undone = new Map([...window.all()].map(([start, amount]) => [start, -amount]))
    this.#windows.delete(guesser)
    await this.#tell(guesser, new SlidingWindow(WINDOW_MS, STEP_MS), undone)
  }

  #requireFewer(guesser: string, most: number): void {
    const now = Date.now()
    const window = this.#windowOf(guesser)
    if (window.usedUntil(now) <= most) return
    throw tooMany('Too many wrong secrets.', secondsOf(window.waitUntil(now, most)))
  }

  /** Shares the counts. While the store is unavailable (503), each process has only its own. */
  async #tell(guesser: string, window: SlidingWindow, amounts: ReadonlyMap<number, number>): Promise<void> {
    const now = Date.now()
    const isForgetting = now - this.#forgottenAt >= FORGET_MS
    if (isForgetting) this.#forgottenAt = now
    try {
      window.merge(amounts, await this.#shared.add({ clientId: guesser, kind: KIND, amounts }, window.since(now)))
      if (isForgetting) await this.#shared.forget(now - KEPT_MS)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
    }
  }

  #windowOf(guesser: string): SlidingWindow {
    let window = this.#windows.get(guesser)
    if (!window) {
      window = new SlidingWindow(WINDOW_MS, STEP_MS)
      this.#windows.set(guesser, window)
    }
    return window
  }
}
