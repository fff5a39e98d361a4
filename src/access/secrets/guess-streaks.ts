// Streaks of wrong secrets, for the log: one report for a streak, and one a minute while it goes on.
import { LRUCache } from 'lru-cache'
import type { Observe } from '../../observe/observation.ts'

/** Fewer are a person who mistypes. */
const STREAK = 5
const REPORT_EACH_MS = 60_000
const MOST_STREAKS = 1_000

interface Streak {
  count: number
  reportedAt: number
}

export class GuessStreaks {
  readonly #observe: Observe
  /** A streak ends after a minute without a wrong secret. */
  readonly #streaks = new LRUCache<string, Streak>({ max: MOST_STREAKS, ttl: REPORT_EACH_MS })

  constructor(observe: Observe) {
    this.#observe = observe
  }

  /** Counts a wrong secret, or one that was not checked. `clientId` is empty where there is no such client. */
  add(clientId: string, address: string): void {
    const key = `${address} ${clientId}`
    const now = performance.now()
    const streak = this.#streaks.get(key) ?? { count: 0, reportedAt: Number.NEGATIVE_INFINITY }
    streak.count += 1
    this.#streaks.set(key, streak)
    if (streak.count < STREAK || now - streak.reportedAt < REPORT_EACH_MS) return
    streak.reportedAt = now
    this.#observe({ kind: 'wrong-secrets', client: clientId || undefined, address, count: streak.count })
  }
}
