// Limits the requests and bytes of a client per time window. Each process counts for itself and exchanges its counts
// with the others through the database a few times per second, so their counts are known with that delay.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type SharedUsages, SlidingWindow } from '../../base/concurrency/sliding-window.ts'
import { limitHeaders, secondsOf, tooMany } from '../../errors/catalogue.ts'
import type { Problem } from '../../errors/problem.ts'

export interface RateLimits {
  /** In any minute; absent: no limit. */
  readonly requestsPerMinute?: number | undefined
  /** Requests and responses together, in any five minutes; absent: no limit. */
  readonly bytesPerFiveMinutes?: number | undefined
}

const KINDS = ['requests', 'bytes'] as const
type Kind = (typeof KINDS)[number]

const WINDOWS_MS: Readonly<Record<Kind, number>> = { requests: 60_000, bytes: 300_000 }
const SHARE_MS = 250
const FORGET_MS = 60_000
/** Longer than any window with its first step. */
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
  /** By client id. Their number is limited by the setup. */
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

  /** Counts a request and returns the rate limit headers. Throws 429 over the limit. */
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

  /** Counts the request, and later its bytes, and sets the rate limit headers. Throws 429 over the limit. */
  count(clientId: string, { socket }: IncomingMessage, response: ServerResponse): void {
    for (const [name, value] of Object.entries(this.take(clientId))) response.setHeader(name, value)
    const before = socket.bytesRead + socket.bytesWritten
    response.once('close', () => this.addBytes(clientId, socket.bytesRead + socket.bytesWritten - before))
  }

  /** Counts the bytes of a request and its response. */
  addBytes(clientId: string, bytes: number): void {
    this.#add(clientId, 'bytes', bytes, this.#now())
  }

  /** Exchanges counts with the other processes. While the store does not answer, each process has only its own. */
  share(): Promise<void> {
    this.#sharing ??= this.#exchange().finally(() => (this.#sharing = undefined))
    return this.#sharing
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer)
  }

  async #exchange(): Promise<void> {
    const tallies = KINDS.flatMap((kind) => [...this.#tallies[kind].values()])
    // Counts that the store rejects are sent with the next exchange; its error is reported by requests that use it.
    await Promise.allSettled(tallies.map((tally) => this.#exchangeOf(tally)))
  }

  async #exchangeOf({ clientId, kind, window }: Tally): Promise<void> {
    const amounts = window.takeUnsent()
    if (amounts.size > 0) {
      window.merge(amounts, await this.#shared.add({ clientId, kind, amounts }, window.since(this.#now())))
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
