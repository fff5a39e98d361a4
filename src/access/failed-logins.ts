// Counts guessed secrets per client and address, across all processes on a store, to prevent brute-force attacks.
// Unknown client ids of an address are counted together.
import type { Clock } from '../base/clock.ts'
import { type SharedUsages, SlidingWindow } from '../base/concurrency/sliding-window.ts'
import { lastUsed } from '../base/last-used.ts'
import { Problem } from '../errors/problem.ts'

/** A minute together with the current step. */
const WINDOW_MS = 55_000
const STEP_MS = 5_000
/** Each check takes some 50 ms, so there cannot be more attackers than this within a minute. */
const REMEMBERED = 20_000
const FORGET_MS = 60_000
/** Longer than any window of shared usage. */
const KEPT_MS = 10 * 60_000

export class FailedLogins {
  readonly #shared: SharedUsages
  readonly #kind: string
  /** Within a minute. */
  readonly #most: number
  readonly #clock: Clock
  readonly #windows = lastUsed<string, SlidingWindow>(REMEMBERED)
  #forgottenAt = 0

  constructor(shared: SharedUsages, kind: 'wrong-secrets' | 'patient-checks', most: number, clock: Clock) {
    this.#shared = shared
    this.#kind = kind
    this.#most = most
    this.#clock = clock
  }

  /** Whether there were so many within the minute, as far as this process knows, that no further one may begin. */
  isFull(guesser: string): boolean {
    return this.#used(guesser) >= this.#most
  }

  /** Whether there was one within the minute. */
  hasBegun(guesser: string): boolean {
    return this.#used(guesser) > 0
  }

  /** Counts a secret before it is checked, as a wrong one. False: there were too many within the minute. */
  async begin(guesser: string): Promise<boolean> {
    if (this.isFull(guesser)) return false
    const now = this.#now
    const window = this.#windows.get(guesser) ?? new SlidingWindow(WINDOW_MS, STEP_MS)
    this.#windows.set(guesser, window)
    window.add(1, now)
    await this.#tell(guesser, window, new Map([[window.stepAt(now), 1]]))
    return this.#used(guesser) <= this.#most
  }

  /** Withdraws the counts, after the correct secret. */
  async forget(guesser: string): Promise<void> {
    const amounts = this.#windows.get(guesser)?.all() ?? new Map<number, number>()
    const undone = new Map([...amounts].map(([start, amount]) => [start, -amount]))
    this.#windows.delete(guesser)
    await this.#tell(guesser, new SlidingWindow(WINDOW_MS, STEP_MS), undone)
  }

  /** Milliseconds until another one may begin, if none does meanwhile. */
  waitOf(guesser: string): number {
    return this.#windows.get(guesser)?.waitUntil(this.#now, this.#most - 1) ?? 0
  }

  get #now(): number {
    return this.#clock().getTime()
  }

  #used(guesser: string): number {
    return this.#windows.get(guesser)?.usedUntil(this.#now) ?? 0
  }

  /** Shares the counts. While the store is unavailable (503), each process has only its own. */
  async #tell(guesser: string, window: SlidingWindow, amounts: ReadonlyMap<number, number>): Promise<void> {
    const now = this.#now
    const isForgetting = now - this.#forgottenAt >= FORGET_MS
    if (isForgetting) this.#forgottenAt = now
    try {
      const usage = { clientId: guesser, kind: this.#kind, amounts }
      window.merge(amounts, await this.#shared.add(usage, window.since(now)))
      if (isForgetting) await this.#shared.forget(now - KEPT_MS)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
    }
  }
}
