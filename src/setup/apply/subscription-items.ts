// The subscriptions of a setup, as they are stored and as the module of subscriptions gets them.
import { createHash } from 'node:crypto'
import type { ClientDefinition } from '../../access/caller.ts'
import type { Tx } from '../../store/store.ts'
import type { WebhookRules } from '../check/subscriptions.ts'
import type { Setup, SubscriptionSetup } from '../read/setup-schema.ts'
import type { SetupItem } from './setup-items.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Writes the subscriptions of a setup. The module of subscriptions provides it. */
export interface Webhooks extends WebhookRules {
  /** Creates a subscription, or changes what differs: its position and state stay. `secret` is that of the variable. */
  put(tx: Tx, subscription: SubscriptionSetup, userId: string, secret: string): Promise<void>
  remove(tx: Tx, id: string): Promise<void>
}

/** The items, with hashes of their secrets: so a change of a secret is seen, and the secret is not stored here. */
export function subscriptionItems({ companies = [] }: Setup, environment: Environment): SetupItem[] {
  return companies.flatMap(({ id: companyId, subscriptions = [] }) =>
    subscriptions.map((subscription) => ({
      companyId,
      kind: 'subscription' as const,
      id: subscription.id,
      definition: { ...subscription, secretHash: hashOf(environment[subscription.secretEnv] ?? '') },
    })),
  )
}

/** A key is random and long, so a plain hash of it tells nothing. */
function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** The definition as a setup file has it. */
export function withoutHash(definition: object): object {
  const { secretHash: _hash, ...subscription } = definition as SubscriptionSetup & { secretHash: string }
  return subscription
}

/** Writes those of the file; `items` are all that are in force. */
export async function writeSubscriptions(
  tx: Tx,
  webhooks: Webhooks,
  subscriptions: readonly SubscriptionSetup[],
  items: readonly SetupItem[],
  environment: Environment,
): Promise<void> {
  for (const subscription of subscriptions) {
    const client = items.find(({ kind, id }) => kind === 'client' && id === subscription.client)
    const userId = (client?.definition as ClientDefinition | undefined)?.user ?? ''
    await webhooks.put(tx, subscription, userId, environment[subscription.secretEnv] ?? '')
  }
}
