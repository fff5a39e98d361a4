// How much was used within a window that moves along with time. It moves in steps: what began with a step leaves with it, so
// that no window of time holds more than was let through, and what is kept are a few numbers a client.

/** A window usually reaches over so many steps, and over the one that has begun. */
const STEPS = 12

/** The start of a step, in milliseconds since 1970, and what was used in it. */
export type Amounts = ReadonlyMap<number, number>

/** What was used of one kind by somebody: a client, or whoever guesses its secret from an address. */
export interface Usage {
  readonly clientId: string
  readonly kind: string
  readonly amounts: Amounts
}

/** What the processes on a store tell each other. Moments are in milliseconds since 1970. */
export interface SharedUsages {
  /** Adds what one process has used; gives what all have in the steps that began at `since` or later. */
  add(usage: Usage, since: number): Promise<Amounts>
  /** Steps that began earlier are of no window any more. */
  forget(before: number): Promise<void>
}

interface Step {
  /** Of all processes, as far as they have told. */
  told: number
  /** Of this process, not told yet. */
  own: number
}

export class SlidingWindow {
  readonly #windowMs: number
  readonly #stepMs: number
  /** By their start. */
  readonly #steps = new Map<number, Step>()

  constructor(windowMs: number, stepMs = windowMs / STEPS) {
    this.#windowMs = windowMs
    this.#stepMs = stepMs
  }

  add(amount: number, now: number): void {
    this.#step(this.stepAt(now)).own += amount
  }

  /** The start of the step that has begun. */
  stepAt(now: number): number {
    return now - (now % this.#stepMs)
  }

  /** What was used in the window that ends now. */
  usedUntil(now: number): number {
    const since = this.since(now)
    let used = 0
    for (const [start, { told, own }] of this.#steps) {
      // A clock that was set back has left steps that would count until it is there again.
      if (start < since || start > now + this.#windowMs) this.#steps.delete(start)
      else used += told + own
    }
    return used
  }

  /** How many milliseconds until no more than `most` counts as used, when nothing is added; at most a window and a step. */
  waitUntil(now: number, most: number): number {
    let used = this.usedUntil(now)
    let leavesAt = now
    for (const start of [...this.#steps.keys()].sort((one, other) => one - other)) {
      if (used <= most) break
      const { told, own } = this.#step(start)
      used -= told + own
      leavesAt = start + this.#stepMs + this.#windowMs
    }
    return leavesAt - now
  }

  /** The start of the earliest step that reaches into the window that ends now. */
  since(now: number): number {
    return this.stepAt(now) - this.#windowMs
  }

  /** All of it, as far as is known. */
  all(): Amounts {
    return new Map([...this.#steps].map(([start, { told, own }]) => [start, told + own]))
  }

  /** What others do not know of yet. */
  untold(): Amounts {
    return new Map([...this.#steps].filter(([, { own }]) => own > 0).map(([start, { own }]) => [start, own]))
  }

  /** Others have been told `mine`, and all together have used `all`. */
  hear(mine: Amounts, all: Amounts): void {
    for (const [start, amount] of mine) this.#step(start).own -= amount
    for (const [start, amount] of all) this.#step(start).told = amount
  }

  #step(start: number): Step {
    let step = this.#steps.get(start)
    if (!step) {
      step = { told: 0, own: 0 }
      this.#steps.set(start, step)
    }
    return step
  }
}
