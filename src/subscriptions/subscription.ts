// What a subscription is: a client's wish to be told of changes at an address of its own.
import type { Position } from '../changes/record-change.ts'
import type { SubscriptionTable } from '../sql/subscription-tables.ts'

/** What a client gives. */
export interface SubscriptionDefinition {
  readonly name: string
  readonly url: string
  /** The entities whose changes are told; empty: all that the client may read. */
  readonly entities: readonly string[]
  /** Empty: every record. */
  readonly filter: string
  /** Empty: no record is in the body when it is thin, and the whole one when it is full. */
  readonly select: string
  readonly payload: 'thin' | 'full'
  /** Whether several events are sent in one body. */
  readonly batch: boolean
  readonly signature: 'hmac' | 'ed25519'
}

/** What it asks of the feed. */
export function queryOf({ entities, filter, select }: SubscriptionDefinition) {
  return {
    ...(entities.length === 0 ? {} : { entities }),
    ...(filter === '' ? {} : { filter }),
    ...(select === '' ? {} : { select }),
  }
}

/** A subscription without its secrets. */
export interface Subscription {
  readonly id: string
  readonly definition: SubscriptionDefinition
  /** The client that it belongs to, and that client's user: their rights are looked up at each delivery. */
  readonly clientId: string
  readonly userId: string
  /** Whether the setup declares it. */
  readonly isSetup: boolean
  readonly state: SubscriptionTable['state']
  /** Why it is paused; empty when it is active. */
  readonly reason: string
  /** The last change that was handed over for delivery. */
  readonly position: Position
  /** Since when no delivery succeeded; empty when the last one did. */
  readonly failingSince: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly updatedBy: string
  /** The number of the journal entry that last changed it. */
  readonly changeNo: number
}

/** A key that deliveries are signed with, as it is stored. Binary values are in base64. */
export type SubscriptionKey =
  | { readonly kind: 'hmac'; readonly madeAt: string; readonly secret: string }
  /** `privateKey` is PKCS #8, `publicKey` the 32 bytes of the point. */
  | { readonly kind: 'ed25519'; readonly madeAt: string; readonly privateKey: string; readonly publicKey: string }

/** The keys of a subscription: after a rotation both sign until the previous one ends. */
export interface SubscriptionKeys {
  readonly current: SubscriptionKey
  readonly previous?: { readonly key: SubscriptionKey; readonly until: string }
}

export interface KeyedSubscription {
  readonly subscription: Subscription
  readonly keys: SubscriptionKeys
}

/** The keys that sign at this time (as stored), the newest first. */
export function keysAt({ current, previous }: SubscriptionKeys, at: string): readonly SubscriptionKey[] {
  return previous && at < previous.until ? [current, previous.key] : [current]
}
