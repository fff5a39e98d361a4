// How many requests and bytes a client may have in a while. Each process counts for itself and tells the others what it
// has counted through the database, a few times a second: what is known of them is as old as that.
import { tooMany } from '../errors/catalogue.ts'
import type { Problem } from '../errors/problem.ts'
import { type Counts, startOf, usedUntil, waitUntil } from './sliding-window.ts'

export interface RateLimits {
  /** In any minute; absent: as many as they like. */
  readonly requestsPerMinute?: number | undefined
  /** Of requests and answers together, in any five minutes. */
  readonly bytesPerFiveMinutes?: number | undefined
}

/** What one process has used of a window since it last told. */
export interface Usage {
  readonly clientId: string
  readonly kind: Kind
  /** In milliseconds since 1970. */
  readonly windowStart: number
  readonly amount: number
}

/** Adds what was used; gives what all processes have used of these windows and of those before them. */
export type ShareUsage = (usages: readonly Usage[]) => Promise<readonly Usage[]>

export type Kind = 'requests' | 'bytes'

const WINDOWS_MS: Readonly<Record<Kind, number>> = { requests: 60_000, bytes: 300_000 }
const SHARE_MS = 250
/** Clients are as many as a setup has; what is older than two windows is forgotten. */
const FORGET_MS = 60_000

/** Of one client, one kind and one window. */
interface Tally {
  clientId: string
  kind: Kind
  windowStart: number
  /** Of all processes, as far as they have told. */
  told: number
  /** Of this process, not told yet. */
  own: number
}

export class RateLimiter {
  readonly #limits: Readonly<Record<Kind, number | undefined>>
  readonly #share: ShareUsage
  readonly #now: () => number
  readonly #tallies = new Map<string, Tally>()
  readonly #timers: readonly NodeJS.Timeout[]
  #sharing: Promise<void> | undefined

  constructor({ requestsPerMinute, bytesPerFiveMinutes }: RateLimits, share: ShareUsage, now: () => number = Date.now) {
    this.#limits = { requests: requestsPerMinute, bytes: bytesPerFiveMinutes }
    this.#share = share
    this.#now = now
    this.#timers = [
      setInterval(() => this.share(), SHARE_MS).unref(),
      setInterval(() => this.#forget(), FORGET_MS).unref(),
    ]
  }

  /** Counts a request. Throws 429 when the client has had its share; gives the headers that tell what is left. */
  take(clientId: string): Readonly<Record<string, string>> {
    const now = this.#now()
    for (const kind of ['requests', 'bytes'] as const) {
      const most = this.#limits[kind]
      if (most === undefined) continue
      const counts = this.#countsOf(clientId, kind, now)
      if (usedUntil(now, WINDOWS_MS[kind], counts) + (kind === 'requests' ? 1 : 0) > most) {
        throw this.#exceeded(kind, most, counts, now)
      }
    }
    this.#add(clientId, 'requests', 1, now)
    return this.#headers(clientId, now)
  }

  /** Counts what a request and its answer have carried. */
  addBytes(clientId: string, bytes: number): void {
    this.#add(clientId, 'bytes', bytes, this.#now())
  }

  /** Tells the others, and hears of them. A store that does not answer leaves each process with its own count. */
  share(): Promise<void> {
    this.#sharing ??= this.#exchange().finally(() => (this.#sharing = undefined))
    return this.#sharing
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer)
  }

  async #exchange(): Promise<void> {
    const telling = [...this.#tallies.values()]
      .filter(({ own }) => own > 0)
      .map((tally) => ({ tally, amount: tally.own }))
    if (telling.length === 0) return
    const usages = telling.map(({ tally: { clientId, kind, windowStart }, amount }) => ({
      clientId,
      kind,
      windowStart,
      amount,
    }))
    try {
      const totals = await this.#share(usages)
      for (const { tally, amount } of telling) tally.own -= amount
      for (const { clientId, kind, windowStart, amount } of totals)
        this.#tally(clientId, kind, windowStart).told = amount
    } catch {
      // Told by the requests that need the store; what was counted is told the next time.
    }
  }

  #add(clientId: string, kind: Kind, amount: number, now: number): void {
    if (this.#limits[kind] !== undefined) this.#tally(clientId, kind, startOf(now, WINDOWS_MS[kind])).own += amount
  }

  #countsOf(clientId: string, kind: Kind, now: number): Counts {
    const start = startOf(now, WINDOWS_MS[kind])
    const amountAt = (windowStart: number) => {
      const tally = this.#tallies.get(keyOf(clientId, kind, windowStart))
      return tally ? tally.told + tally.own : 0
    }
    return { current: amountAt(start), previous: amountAt(start - WINDOWS_MS[kind]) }
  }

  #tally(clientId: string, kind: Kind, windowStart: number): Tally {
    const key = keyOf(clientId, kind, windowStart)
    let tally = this.#tallies.get(key)
    if (!tally) {
      tally = { clientId, kind, windowStart, told: 0, own: 0 }
      this.#tallies.set(key, tally)
    }
    return tally
  }

  #headers(clientId: string, now: number): Record<string, string> {
    const most = this.#limits.requests
    if (most === undefined) return {}
    const counts = this.#countsOf(clientId, 'requests', now)
    const left = Math.max(Math.floor(most - usedUntil(now, WINDOWS_MS.requests, counts)), 0)
    const resetSeconds = Math.ceil((WINDOWS_MS.requests - (now % WINDOWS_MS.requests)) / 1000)
    return {
      'ratelimit-limit': String(most),
      'ratelimit-remaining': String(left),
      'ratelimit-reset': String(resetSeconds),
    }
  }

  #exceeded(kind: Kind, most: number, counts: Counts, now: number): Problem {
    const waitMs = waitUntil(now, WINDOWS_MS[kind], counts, most - (kind === 'requests' ? 1 : 0))
    const seconds = Math.max(Math.ceil(waitMs / 1000), 1)
    const what = kind === 'requests' ? `${most} requests a minute` : `${most} bytes in five minutes`
    return tooMany(`The limit of ${what} is reached: try again in ${seconds} s.`, seconds, {
      'ratelimit-limit': String(most),
      'ratelimit-remaining': '0',
      'ratelimit-reset': String(seconds),
    })
  }

  #forget(): void {
    const now = this.#now()
    for (const [key, { kind, windowStart }] of this.#tallies) {
      if (now - windowStart > 2 * WINDOWS_MS[kind]) this.#tallies.delete(key)
    }
  }
}

function keyOf(clientId: string, kind: Kind, windowStart: number): string {
  return `${kind} ${windowStart} ${clientId}`
}
