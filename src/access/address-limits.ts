// Requests without credentials, and those with wrong ones, are bounded for each address that they come from. Each
// process counts for itself. Who has shown right credentials is no stranger, wherever he calls from.
import { LeakyBuckets } from '../base/concurrency/leaky-buckets.ts'
import { networkOf } from '../base/network.ts'
import { limitHeaders, secondsOf, tooMany } from '../errors/catalogue.ts'

/** How many of each kind an address may send in a second, on average. */
const PER_SECOND = { anonymous: 20, failed: 10 }
/** A burst of as many as in five seconds: a browser asks for several things at once. */
export const ADDRESS_BURSTS = { anonymous: 5 * PER_SECOND.anonymous, failed: 5 * PER_SECOND.failed }
const NAMES = { anonymous: 'requests without credentials', failed: 'wrong credentials' } as const
/** Addresses; for further ones the longest unused are forgotten. */
const REMEMBERED = 10_000

/** Without credentials, or with wrong ones. */
type AddressLimitKind = keyof typeof NAMES

export class AddressLimits {
  readonly #buckets: Readonly<Record<AddressLimitKind, LeakyBuckets>>
  readonly #now: () => number

  /** `now` is a monotonic clock in milliseconds. */
  constructor(now: () => number) {
    const bucketsOf = (kind: AddressLimitKind) =>
      new LeakyBuckets({ perSecond: PER_SECOND[kind], burst: ADDRESS_BURSTS[kind], most: REMEMBERED })
    this.#now = now
    this.#buckets = { anonymous: bucketsOf('anonymous'), failed: bucketsOf('failed') }
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
    const headers = limitHeaders(ADDRESS_BURSTS[kind], 0, waitMs)
    throw tooMany(`Too many ${NAMES[kind]} from this address.`, secondsOf(waitMs), headers)
  }
}
