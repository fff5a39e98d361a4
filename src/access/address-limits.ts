// Requests without credentials, and those with wrong ones, are bounded for each address that they come from. Each
// process counts for itself. Who has shown right credentials is no stranger, wherever he calls from.
import { LeakyBuckets } from '../base/concurrency/leaky-buckets.ts'
import { networkOf } from '../base/network.ts'
import { limitHeaders, secondsOf, tooMany } from '../errors/catalogue.ts'

/** With a burst: a browser asks for several things at once. */
const LIMITS = {
  anonymous: { perSecond: 20, burst: 100, what: 'requests without credentials' },
  failed: { perSecond: 10, burst: 50, what: 'wrong credentials' },
} as const
/** Addresses; for further ones the longest unused are forgotten. */
const REMEMBERED = 10_000

/** Without credentials, or with wrong ones. */
export type AddressLimitKind = keyof typeof LIMITS

export class AddressLimits {
  readonly #buckets: Readonly<Record<AddressLimitKind, LeakyBuckets>> = {
    anonymous: new LeakyBuckets({ ...LIMITS.anonymous, most: REMEMBERED }),
    failed: new LeakyBuckets({ ...LIMITS.failed, most: REMEMBERED }),
  }

  /** Counts a request. Throws 429 when there were too many from its address. */
  count(kind: AddressLimitKind, address: string): void {
    refuseAfter(kind, this.#buckets[kind].take(networkOf(address), performance.now()))
  }

  /** Throws 429 when a further one would be one too many. */
  refuseTooMany(kind: AddressLimitKind, address: string): void {
    refuseAfter(kind, this.#buckets[kind].waitOf(networkOf(address), performance.now()))
  }
}

function refuseAfter(kind: AddressLimitKind, waitMs: number): void {
  if (waitMs === 0) return
  const { what, burst } = LIMITS[kind]
  throw tooMany(`Too many ${what} from this address.`, secondsOf(waitMs), limitHeaders(burst, 0, waitMs))
}
