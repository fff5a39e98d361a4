// Usage within a sliding time window. The window moves in steps, and only a complete step leaves it: usage is never
// underestimated, and only a few numbers are stored per client.
import { getOrInsert } from '../memo.ts'

/** The default number of steps in a window, in addition to the current one. */
const STEPS = 12

/** The usage in each step, by the start of the step in milliseconds since 1970. */
export type Amounts = ReadonlyMap<number, number>

/** The usage of one kind by a client, or by an address that sends wrong secrets for it. */
export interface Usage {
  readonly clientId: string
  readonly kind: string
  readonly amounts: Amounts
}

/** The counts that the processes on a store share. Instants are in milliseconds since 1970. */
export interface SharedUsages {
  /**
   * Adds the usage of one process, negative when it gives some back. Returns that of all processes in the steps that
   * started at `since` or later: of those that were added to, as it was directly behind the addition.
   */
  add(usage: Usage, since: number): Promise<Amounts>
  /** Deletes the steps that started earlier. */
  forget(before: number): Promise<void>
}

interface Step {
  /** Usage of all processes, as far as it has been shared. */
  shared: number
  /** Usage of this process that has not been shared yet. */
  local: number
}

export class SlidingWindow {
  readonly #windowMs: number
  readonly #stepMs: number
  /** By start. */
  readonly #steps = new Map<number, Step>()

  constructor(windowMs: number, stepMs = windowMs / STEPS) {
    this.#windowMs = windowMs
    this.#stepMs = stepMs
  }

  add(amount: number, now: number): void {
    this.#step(this.stepAt(now)).local += amount
  }

  /** The start of the current step. */
  stepAt(now: number): number {
    return now - (now % this.#stepMs)
  }

  /** The usage in the window that ends now. */
  usedUntil(now: number): number {
    const since = this.since(now)
    let used = 0
    for (const [start, { shared, local }] of this.#steps) {
      // If the clock was set back, steps in the future are left; they would count until it reaches them again.
      if (start < since || start > now + this.#windowMs) this.#steps.delete(start)
      else used += shared + local
    }
    return used
  }

  /** Milliseconds until the usage is at most `most`, if nothing is added; no more than a window and a step. */
  waitUntil(now: number, most: number): number {
    let used = this.usedUntil(now)
    let leavesAt = now
    for (const start of [...this.#steps.keys()].sort((one, other) => one - other)) {
      if (used <= most) break
      const { shared, local } = this.#step(start)
      used -= shared + local
      leavesAt = start + this.#stepMs + this.#windowMs
    }
    return leavesAt - now
  }

  /** The start of the earliest step in the window that ends now. */
  since(now: number): number {
    return this.stepAt(now) - this.#windowMs
  }

  /** The usage of all processes, as far as it is known. */
  all(): Amounts {
    return new Map([...this.#steps].map(([start, { shared, local }]) => [start, shared + local]))
  }

  /** The usage that has not been shared yet. */
  takeUnsent(): Amounts {
    return new Map([...this.#steps].filter(([, { local }]) => local !== 0).map(([start, { local }]) => [start, local]))
  }

  /** Records that `mine` has been shared and that the usage of all processes is `all`. */
  merge(mine: Amounts, all: Amounts): void {
    for (const [start, amount] of mine) this.#step(start).local -= amount
    for (const [start, amount] of all) this.#step(start).shared = amount
  }

  #step(start: number): Step {
    return getOrInsert(this.#steps, start, () => ({ shared: 0, local: 0 }))
  }
}
