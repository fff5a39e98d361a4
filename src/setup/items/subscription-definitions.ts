// The subscriptions of a setup as they are stored: with hashes of their secrets.
import { createHash } from 'node:crypto'
import type { SubscriptionSetup } from '../file/setup-schema.ts'

/** So a change of a secret is seen, and the secret is not stored here. */
interface StoredSubscription extends SubscriptionSetup {
  readonly secretHash: string
}

export function subscriptionDefinitions(
  subscriptions: readonly SubscriptionSetup[],
  environment: Readonly<Record<string, string | undefined>>,
): StoredSubscription[] {
  return subscriptions.map((subscription) => ({
    ...subscription,
    secretHash: hashOf(environment[subscription.secretEnv] ?? ''),
  }))
}

/** A key is random and long, so a plain hash of it tells nothing. */
function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** The definition as a setup file has it. */
export function withoutHash({ secretHash: _hash, ...subscription }: StoredSubscription): SubscriptionSetup {
  return subscription
}
