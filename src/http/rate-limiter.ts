// How many requests and bytes a client may have in a while. Each process counts for itself and tells the others what it
// has counted through the database, a few times a second: what is known of them is as old as that.
import { type SharedUsages, SlidingWindow } from '../base/sliding-window.ts'
import { tooMany } from '../errors/catalogue.ts'
import { limitHeaders, secondsOf } from '../errors/limit-headers.ts'
import type { Problem } from '../errors/problem.ts'

export interface RateLimits {
  /** In any minute; absent: as many as they like. */
  readonly requestsPerMinute?: number | undefined
  /** Of requests and answers together, in any five minutes. */
  readonly bytesPerFiveMinutes?: number | undefined
}

const KINDS = ['requests', 'bytes'] as const
type Kind = (typeof KINDS)[number]

const WINDOWS_MS: Readonly<Record<Kind, number>> = { requests: 60_000, bytes: 300_000 }
const SHARE_MS = 250
const FORGET_MS = 60_000
/** Longer than any window and its first step. */
const KEPT_MS = 2 * WINDOWS_MS.bytes

interface Tally {
  readonly clientId: string
  readonly kind: Kind
  readonly window: SlidingWindow
}

export class RateLimiter {
  readonly #limits: Readonly<Record<Kind, number | undefined>>
  readonly #shared: SharedUsages
  readonly #now: () => number
  /** Of clients, of whom there are as many as a setup has. */
  readonly #tallies: Readonly<Record<Kind, Map<string, Tally>>> = { requests: new Map(), bytes: new Map() }
  readonly #timers: readonly NodeJS.Timeout[]
  #sharing: Promise<void> | undefined

  constructor(
    { requestsPerMinute, bytesPerFiveMinutes }: RateLimits,
    shared: SharedUsages,
    now: () => number = Date.now,
  ) {
    this.#limits = { requests: requestsPerMinute, bytes: bytesPerFiveMinutes }
    this.#shared = shared
    this.#now = now
    this.#timers = [
      setInterval(() => this.share(), SHARE_MS).unref(),
      setInterval(() => this.#forget(), FORGET_MS).unref(),
    ]
  }

  /** Counts a request. Throws 429 when the client has had its share; gives the headers that tell what is left. */
  take(clientId: string): Readonly<Record<string, string>> {
    const now = this.#now()
    for (const kind of KINDS) {
      const most = this.#limits[kind]
      if (most === undefined) continue
      const { window } = this.#tally(clientId, kind)
      const mostBefore = kind === 'requests' ? most - 1 : most
      if (window.usedUntil(now) > mostBefore) throw exceeded(kind, most, window.waitUntil(now, mostBefore))
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
    const tallies = KINDS.flatMap((kind) => [...this.#tallies[kind].values()])
    // What a store does not take is told the next time; those requests that need it tell why.
    await Promise.allSettled(tallies.map((tally) => this.#exchangeOf(tally)))
  }

  async #exchangeOf({ clientId, kind, window }: Tally): Promise<void> {
    const amounts = window.untold()
    if (amounts.size > 0) {
      window.hear(amounts, await this.#shared.add({ clientId, kind, amounts }, window.since(this.#now())))
    }
  }

  #add(clientId: string, kind: Kind, amount: number, now: number): void {
    if (this.#limits[kind] !== undefined) this.#tally(clientId, kind).window.add(amount, now)
  }

  #tally(clientId: string, kind: Kind): Tally {
    let tally = this.#tallies[kind].get(clientId)
    if (!tally) {
      tally = { clientId, kind, window: new SlidingWindow(WINDOWS_MS[kind]) }
      this.#tallies[kind].set(clientId, tally)
    }
    return tally
  }

  #headers(clientId: string, now: number): Record<string, string> {
    const most = this.#limits.requests
    if (most === undefined) return {}
    const { window } = this.#tally(clientId, 'requests')
    return limitHeaders(most, Math.max(most - window.usedUntil(now), 0), window.waitUntil(now, 0))
  }

  #forget(): void {
    const now = this.#now()
    for (const tallies of Object.values(this.#tallies)) {
      for (const [clientId, { window }] of tallies) if (window.usedUntil(now) === 0) tallies.delete(clientId)
    }
    this.#shared.forget(now - KEPT_MS).catch(() => {})
  }
}

function exceeded(kind: Kind, most: number, waitMs: number): Problem {
  const seconds = secondsOf(waitMs)
  const what = kind === 'requests' ? `${most} requests a minute` : `${most} bytes in five minutes`
  const message = `The limit of ${what} is reached: try again in ${seconds} s.`
  return tooMany(message, seconds, limitHeaders(most, 0, waitMs))
}
