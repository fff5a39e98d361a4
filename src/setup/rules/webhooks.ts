// What the module of subscriptions does for a setup. Injected, because this module does not know it.
import type { Tx } from '../../store/store.ts'
import type { SubscriptionSetup } from '../file/setup-schema.ts'

/** Used to check subscriptions. */
export interface WebhookRules {
  /** The built-in entities whose changes are told. */
  readonly entities: readonly string[]
  /** Why webhooks cannot be sent to the URL; undefined if they can. */
  refusalOf(url: string): string | undefined
  isSigningKey(signature: 'hmac' | 'ed25519', text: string): boolean
}

/** Writes the subscriptions of a setup. */
export interface Webhooks extends WebhookRules {
  /** Creates a subscription, or changes what differs: its position and state stay. `secret` is that of the variable. */
  put(tx: Tx, subscription: SubscriptionSetup, userId: string, secret: string): Promise<void>
  remove(tx: Tx, id: string): Promise<void>
}
