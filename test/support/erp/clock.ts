// What time it is for the ERP: the machine's, or one that a test turns.
import { setTimeout as sleep } from 'node:timers/promises'

export interface Clock {
  now(): number
  sleep(ms: number): Promise<void>
}

export const REAL_CLOCK: Clock = { now: Date.now, sleep: (ms) => sleep(ms) }

/** A clock that stands still until it is turned. Who sleeps wakes when it has been turned past that moment. */
export class SimulatedClock implements Clock {
  #now: number
  #sleepers: { at: number; wake: () => void }[] = []

  constructor(now = Date.parse('2026-06-01T00:00:00Z')) {
    this.#now = now
  }

  now(): number {
    return this.#now
  }

  sleep(ms: number): Promise<void> {
    if (ms <= 0) return Promise.resolve()
    return new Promise((wake) => this.#sleepers.push({ at: this.#now + ms, wake }))
  }

  /** Turns the clock; wakes all that are due, the first due first. */
  advance(ms: number): void {
    this.#now += ms
    const due = this.#sleepers.filter(({ at }) => at <= this.#now).sort((a, b) => a.at - b.at)
    this.#sleepers = this.#sleepers.filter(({ at }) => at > this.#now)
    for (const { wake } of due) wake()
  }

  /** When the next sleeper is due; undefined when none sleeps. */
  next(): number | undefined {
    return this.#sleepers.length === 0 ? undefined : Math.min(...this.#sleepers.map(({ at }) => at))
  }
}
