// The subscriptions that a setup declares: an administrator names their secrets, and a setup alone changes them.
import { isDeepStrictEqual } from 'node:util'
import { ALL_PARTS } from '../changes/record-change.ts'
import type { SubscriptionSetup } from '../setup/file/setup-schema.ts'
import type { Webhooks } from '../setup/rules/webhooks.ts'
import type { Tx } from '../store/store.ts'
import { AddressGuard } from './address-guard.ts'
import { definitionOf } from './check-subscription.ts'
import { insertNew, requireRoom } from './create-subscription.ts'
import { DEFAULT_ROTATION_MS, isSameKey, readSigningKey, rotated } from './signing-keys.ts'
import type { KeyedSubscription, SubscriptionKey, SubscriptionKeys } from './subscription.ts'
import { writeChange } from './subscription-answer.ts'
import { deleteSubscription, findKeyed, updateSigningKeys, updateSubscription } from './subscription-store.ts'

/** What applying a setup needs. `entities`: the built-in ones whose changes are told; `allowed`: see `AddressGuard`. */
export function setupWebhooks(entities: readonly string[], allowed: readonly string[] = []): Webhooks {
  const guard = new AddressGuard({ allowed })
  return {
    entities,
    refusalOf: (url) => guard.refusalOf(url),
    isSigningKey: (signature, text) => readSigningKey(signature, text, '') !== undefined,
    put: putSubscription,
    remove: removeSubscription,
  }
}

async function putSubscription(tx: Tx, declared: SubscriptionSetup, userId: string, secret: string): Promise<void> {
  const { id, client, secretEnv, name = id, ...members } = declared
  const definition = definitionOf({ name, ...members })
  const key = readSigningKey(definition.signature, secret, tx.at)
  if (!key) throw new Error(`subscription ${id}: the environment variable ${secretEnv} holds no secret`)
  const found = await findKeyed(tx, id)
  if (!found) {
    await requireRoom(tx)
    const writing = tx.nextEntry()
    const draft = { id, definition, clientId: client, userId, isSetup: true }
    await insertNew(writing, draft, { number: writing.entryNo, part: ALL_PARTS }, key)
    return
  }
  if (!found.subscription.isSetup) throw new Error(`subscription ${id}: a client has created one with this id`)
  const keys = keysAfter(found.keys, key, tx.at)
  change(tx, found, { subscription: { ...found.subscription, definition, clientId: client, userId }, keys })
}

/** A new key follows the previous one as in a rotation: receivers may come to know it after the setup is applied. */
function keysAfter(keys: SubscriptionKeys, key: SubscriptionKey, at: string): SubscriptionKeys {
  if (isSameKey(keys.current, key)) return keys
  return rotated(keys, key, new Date(Date.parse(at) + DEFAULT_ROTATION_MS).toISOString())
}

/** Position and state stay. */
function change(tx: Tx, found: KeyedSubscription, after: KeyedSubscription): void {
  if (isDeepStrictEqual(found, after)) return
  const writing = tx.nextEntry()
  const { id } = after.subscription
  updateSubscription(writing, after.subscription)
  updateSigningKeys(writing, id, after.keys)
  writeChange(writing, id, found, after)
}

async function removeSubscription(tx: Tx, id: string): Promise<void> {
  const found = await findKeyed(tx, id)
  if (!found) return
  const writing = tx.nextEntry()
  deleteSubscription(writing, id)
  writeChange(writing, id, found, undefined)
}
