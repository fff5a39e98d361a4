// Limits the requests and bytes of a client per time window, of all processes on a database together. Requests are
// reserved in blocks; bytes, which are known afterwards, are exchanged a few times per second.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { SharedAllowance } from '../../base/concurrency/shared-allowance.ts'
import { type Amounts, type SharedUsages, SlidingWindow } from '../../base/concurrency/sliding-window.ts'
import { getOrInsert } from '../../base/memo.ts'
import { limitHeaders, secondsOf, tooMany } from '../../errors/catalogue.ts'
import type { Problem } from '../../errors/problem.ts'

export interface RateLimits {
  /** In any minute; absent: no limit. */
  readonly requestsPerMinute?: number | undefined
  /** Requests and responses together, in any five minutes; absent: no limit. */
  readonly bytesPerFiveMinutes?: number | undefined
}

type Kind = 'requests' | 'bytes'

const WINDOWS_MS: Readonly<Record<Kind, number>> = { requests: 60_000, bytes: 300_000 }
const SHARE_MS = 250
const FORGET_MS = 60_000
/** Longer than any window with its first step. */
const KEPT_MS = 2 * WINDOWS_MS.bytes

/** The bytes between two exchanges are at most this part of the limit, beside those of answers under way. */
const UNSENT_PART = 1 / 100

export class RateLimiter {
  readonly #limits: Readonly<Record<Kind, number | undefined>>
  readonly #shared: SharedUsages
  readonly #now: () => number
  /** By client id, as the bytes are. Their number is limited by the setup. */
  readonly #requests = new Map<string, SharedAllowance>()
  readonly #bytes = new Map<string, SlidingWindow>()
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
    this.#requireBytes(clientId)
    return this.#headersAfter(clientId, this.#allowanceOf(clientId)?.take())
  }

  /** As `take`, asking the other processes where this one has nothing in reserve. */
  async takeReserved(clientId: string): Promise<Readonly<Record<string, string>>> {
    this.#requireBytes(clientId)
    return this.#headersAfter(clientId, await this.#allowanceOf(clientId)?.takeReserved())
  }

  /** Reserves so many requests, or what is left, for those that follow. */
  async reserve(clientId: string, count: number): Promise<void> {
    await this.#allowanceOf(clientId)?.reserve(count)
  }

  /** Whether a request can be counted without asking the other processes. */
  hasReserve(clientId: string): boolean {
    return this.#allowanceOf(clientId)?.hasReserve ?? true
  }

  /**
   * Counts the request, and later its bytes, and sets the rate limit headers. Throws 429 over the limit. Synchronous
   * where there is a reserve.
   */
  count(clientId: string, request: IncomingMessage, response: ServerResponse): Promise<void> | undefined {
    if (!this.hasReserve(clientId)) {
      return this.takeReserved(clientId).then((headers) => this.#counted(clientId, headers, request, response))
    }
    this.#counted(clientId, this.take(clientId), request, response)
    return undefined
  }

  /** Counts the bytes of a request and its response. */
  addBytes(clientId: string, bytes: number): void {
    const { bytes: most } = this.#limits
    if (most === undefined) return
    const window = this.#bytesOf(clientId)
    window.add(bytes, this.#now())
    const unsent = [...window.takeUnsent().values()].reduce((sum, amount) => sum + amount, 0)
    if (unsent > most * UNSENT_PART) void this.share()
  }

  /** Exchanges counts with the other processes. While the store does not answer, each process has only its own. */
  share(): Promise<void> {
    this.#sharing ??= this.#exchange().finally(() => (this.#sharing = undefined))
    return this.#sharing
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer)
  }

  #counted(
    clientId: string,
    headers: Readonly<Record<string, string>>,
    { socket }: IncomingMessage,
    response: ServerResponse,
  ): void {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    const before = socket.bytesRead + socket.bytesWritten
    response.once('close', () => this.addBytes(clientId, socket.bytesRead + socket.bytesWritten - before))
  }

  async #exchange(): Promise<void> {
    const requests = [...this.#requests.values()].map((allowance) => allowance.exchange())
    const bytes = [...this.#bytes].map(([clientId, window]) => this.#exchangeBytes(clientId, window))
    // Counts that the store rejects are sent with the next exchange; its error is reported by requests that use it.
    await Promise.allSettled([...requests, ...bytes])
  }

  async #exchangeBytes(clientId: string, window: SlidingWindow): Promise<void> {
    const amounts = window.takeUnsent()
    if (amounts.size === 0) return
    window.merge(amounts, await this.#shared.add({ clientId, kind: 'bytes', amounts }, window.since(this.#now())))
  }

  #requireBytes(clientId: string): void {
    const { bytes: most } = this.#limits
    if (most === undefined) return
    const [window, now] = [this.#bytesOf(clientId), this.#now()]
    if (window.usedUntil(now) > most) throw exceeded('bytes', most, window.waitUntil(now, most))
  }

  #bytesOf(clientId: string): SlidingWindow {
    const window = this.#bytes.get(clientId) ?? new SlidingWindow(WINDOWS_MS.bytes)
    this.#bytes.set(clientId, window)
    return window
  }

  /** Undefined: without a limit. */
  #allowanceOf(clientId: string): SharedAllowance | undefined {
    const { requests: most } = this.#limits
    if (most === undefined) return undefined
    const add = (amounts: Amounts, since: number) => this.#shared.add({ clientId, kind: 'requests', amounts }, since)
    const make = () => new SharedAllowance({ most, windowMs: WINDOWS_MS.requests, add, now: this.#now })
    return getOrInsert(this.#requests, clientId, make)
  }

  /** `isTaken`: undefined without a limit. Throws 429 if it is false. */
  #headersAfter(clientId: string, isTaken: boolean | undefined): Readonly<Record<string, string>> {
    const [{ requests: most }, allowance] = [this.#limits, this.#allowanceOf(clientId)]
    if (most === undefined || !allowance) return {}
    if (isTaken === false) throw exceeded('requests', most, allowance.waitUntil(most - 1))
    return limitHeaders(most, Math.max(most - allowance.used, 0), allowance.waitUntil(0))
  }

  #forget(): void {
    const now = this.#now()
    for (const [clientId, { used }] of this.#requests) if (used === 0) this.#requests.delete(clientId)
    for (const [clientId, window] of this.#bytes) if (window.usedUntil(now) === 0) this.#bytes.delete(clientId)
    this.#shared.forget(now - KEPT_MS).catch(() => {})
  }
}

function exceeded(kind: Kind, most: number, waitMs: number): Problem {
  const seconds = secondsOf(waitMs)
  const what = kind === 'requests' ? `${most} requests a minute` : `${most} bytes in five minutes`
  const message = `The limit of ${what} is reached: try again in ${seconds} s.`
  return tooMany(message, seconds, limitHeaders(most, 0, waitMs))
}
