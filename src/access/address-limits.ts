// Requests without credentials, and those with wrong ones, are bounded for each address that they come from. Each
// process counts for itself. Who has shown right credentials is no stranger, wherever he calls from.
import { LeakyBuckets } from '../base/concurrency/leaky-buckets.ts'
import { networkOf } from '../base/network.ts'
import { limitHeaders, secondsOf, tooMany } from '../errors/catalogue.ts'

/** A burst of as many as in so many seconds: a browser asks for several things at once. */
const BURST_SECONDS = 5
const NAMES = { anonymous: 'requests without credentials', failed: 'wrong credentials' } as const
/** Addresses; for further ones the longest unused are forgotten. */
const REMEMBERED = 10_000

/** Without credentials, or with wrong ones. */
export type AddressLimitKind = keyof typeof NAMES

export class AddressLimits {
  readonly #bursts: Readonly<Record<AddressLimitKind, number>>
  readonly #buckets: Readonly<Record<AddressLimitKind, LeakyBuckets>>
  readonly #now: () => number

  /** How many of each kind an address may send in a second, on average; `now` is a monotonic clock in milliseconds. */
  constructor(perSecond: Readonly<Record<AddressLimitKind, number>>, now: () => number) {
    const { anonymous, failed } = perSecond
    const bursts = { anonymous: BURST_SECONDS * anonymous, failed: BURST_SECONDS * failed }
    this.#bursts = bursts
    this.#now = now
    this.#buckets = {
      anonymous: new LeakyBuckets({ perSecond: anonymous, burst: bursts.anonymous, most: REMEMBERED }),
      failed: new LeakyBuckets({ perSecond: failed, burst: bursts.failed, most: REMEMBERED }),
    }
  }

  /** Counts a request. Throws 429 when there were too many from its address. */
  count(kind: AddressLimitKind, address: string): void {
    this.#refuseAfter(kind, this.#buckets[kind].take(networkOf(address), this.#now()))
  }

  /** Whether a further one would be one too many. */
  isFull(kind: AddressLimitKind, address: string): boolean {
    return this.#buckets[kind].waitOf(networkOf(address), this.#now()) > 0
  }

  #refuseAfter(kind: AddressLimitKind, waitMs: number): void {
    if (waitMs === 0) return
    const headers = limitHeaders(this.#bursts[kind], 0, waitMs)
    throw tooMany(`Too many ${NAMES[kind]} from this address.`, secondsOf(waitMs), headers)
  }
}
