// How often each of many may do something: a bucket each, that leaks at a steady rate and holds a burst (the generic
// cell rate algorithm). Of each bucket one number is kept, of the longest unused ones none.
import type { LRUCache } from 'lru-cache'
import { lastUsed } from '../last-used.ts'

interface BucketSettings {
  readonly perSecond: number
  /** What a bucket holds. */
  readonly burst: number
  /** How many buckets are remembered. */
  readonly most: number
}

export class LeakyBuckets {
  readonly #intervalMs: number
  readonly #burstMs: number
  readonly #emptyAt: LRUCache<string, number>

  constructor({ perSecond, burst, most }: BucketSettings) {
    this.#intervalMs = 1000 / perSecond
    this.#burstMs = burst * this.#intervalMs
    this.#emptyAt = lastUsed(most)
  }

  /** How many milliseconds until there is room for one more; 0 when there is now. */
  waitOf(key: string, now: number): number {
    return Math.max((this.#emptyAt.get(key) ?? now) + this.#intervalMs - this.#burstMs - now, 0)
  }

  /** Puts one in where there is room. Gives what `waitOf` gave before. */
  take(key: string, now: number): number {
    const wait = this.waitOf(key, now)
    if (wait === 0) this.#emptyAt.set(key, Math.max(this.#emptyAt.get(key) ?? now, now) + this.#intervalMs)
    return wait
  }
}
