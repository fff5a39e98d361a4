// The SQL of subscriptions. Their events and attempts have statements of their own.
import { sql } from 'kysely'
import type { Position } from '../changes/record-change.ts'
import { placeholdersFor, statement, whereEqual } from '../sql/statement.ts'
import type { SubscriptionTable } from '../sql/subscription-tables.ts'
import type { ReadTx, Tx } from '../store/store.ts'
import type { KeyedSubscription, Subscription, SubscriptionDefinition, SubscriptionKeys } from './subscription.ts'

type Key = { companyId: string; subscriptionId: string }
/** Everything but the secrets and the lease. */
type Row = Omit<
  SubscriptionTable,
  'company_id' | 'secrets' | 'lease_holder' | 'lease_until' | 'lease_no' | 'attempt_count'
>

const READ = [
  'subscription_id',
  'definition',
  'client_id',
  'user_id',
  'is_setup',
  'state',
  'reason',
  'position_no',
  'position_part',
  'failing_since',
  'created_at',
  'updated_at',
  'updated_by',
  'change_no',
] as const satisfies (keyof Row)[]

const allKeyed = statement<{ companyId: string }, Row & Pick<SubscriptionTable, 'secrets'>>(
  'list_keyed_subscriptions',
  (db, p) =>
    db
      .selectFrom('subscription')
      .select([...READ, 'secrets'])
      .where('company_id', '=', p('companyId'))
      .orderBy('subscription_id'),
)

export async function listKeyedSubscriptions(tx: ReadTx): Promise<KeyedSubscription[]> {
  const rows = await tx.all(allKeyed, { companyId: tx.companyId })
  return rows.map((row) => ({ subscription: subscriptionOf(row), keys: JSON.parse(row.secrets) as SubscriptionKeys }))
}

const single = statement<Key, Row>('find_subscription', (db, p) =>
  db
    .selectFrom('subscription')
    .select(READ)
    .$call(whereEqual(p, 'companyId', 'subscriptionId')),
)

export async function findSubscription(tx: ReadTx, subscriptionId: string): Promise<Subscription | undefined> {
  const row = await tx.first(single, { companyId: tx.companyId, subscriptionId })
  return row && subscriptionOf(row)
}

const count = statement<{ companyId: string }, { count: number }>('count_subscriptions', (db, p) =>
  db.selectFrom('subscription').select(sql<number>`count(*)`.as('count')).where('company_id', '=', p('companyId')),
)

export async function countSubscriptions(tx: ReadTx): Promise<number> {
  return (await tx.first(count, { companyId: tx.companyId }))?.count ?? 0
}

function subscriptionOf(row: Row): Subscription {
  return {
    id: row.subscription_id,
    definition: JSON.parse(row.definition) as SubscriptionDefinition,
    clientId: row.client_id,
    userId: row.user_id,
    isSetup: row.is_setup === 1,
    state: row.state,
    reason: row.reason,
    position: { number: row.position_no, part: row.position_part },
    failingSince: row.failing_since,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    updatedBy: row.updated_by,
    changeNo: row.change_no,
  }
}

const keys = statement<Key, Pick<SubscriptionTable, 'secrets'>>('find_subscription_keys', (db, p) =>
  db
    .selectFrom('subscription')
    .select('secrets')
    .$call(whereEqual(p, 'companyId', 'subscriptionId')),
)

/** The keys that its deliveries are signed with. */
export async function findSigningKeys(tx: ReadTx, subscriptionId: string): Promise<SubscriptionKeys | undefined> {
  const row = await tx.first(keys, { companyId: tx.companyId, subscriptionId })
  return row && (JSON.parse(row.secrets) as SubscriptionKeys)
}

export async function findKeyed(tx: ReadTx, subscriptionId: string): Promise<KeyedSubscription | undefined> {
  const subscription = await findSubscription(tx, subscriptionId)
  const keys = subscription && (await findSigningKeys(tx, subscriptionId))
  return subscription && keys && { subscription, keys }
}

const INSERTED = ['company_id', ...READ, 'secrets'] as const

const insert = statement<Record<(typeof INSERTED)[number], string | number>>('insert_subscription', (db, p) =>
  db.insertInto('subscription').values({
    ...placeholdersFor(p, INSERTED),
    lease_holder: sql.lit(''),
    lease_until: sql.lit(0),
    lease_no: sql.lit(0),
    attempt_count: sql.lit(0),
  }),
)

/** Inserts a subscription whose id is free. */
export function insertSubscription(tx: Tx, subscription: Subscription, signing: SubscriptionKeys): void {
  tx.send(insert, { ...rowOf(tx, subscription), created_at: tx.at, secrets: JSON.stringify(signing) })
}

const CHANGED = [
  'definition',
  'client_id',
  'user_id',
  'state',
  'reason',
  'failing_since',
  'updated_at',
  'updated_by',
  'change_no',
] as const satisfies (keyof Row)[]

const update = statement<Omit<Record<(typeof INSERTED)[number], string | number>, 'secrets'>>(
  'update_subscription',
  (db, p) =>
    db
      .updateTable('subscription')
      .set(placeholdersFor(p, CHANGED))
      .$call(whereEqual(p, 'company_id', 'subscription_id')),
)

/** Updates all but the position and the keys, as a change of the record: with a new tag. Returns it as it is now. */
export function updateSubscription(tx: Tx, subscription: Subscription): Subscription {
  tx.send(update, rowOf(tx, subscription))
  return { ...subscription, updatedAt: tx.at, updatedBy: tx.actor.userId }
}

function rowOf(tx: Tx, subscription: Subscription) {
  return {
    company_id: tx.companyId,
    subscription_id: subscription.id,
    definition: JSON.stringify(subscription.definition),
    client_id: subscription.clientId,
    user_id: subscription.userId,
    is_setup: subscription.isSetup ? 1 : 0,
    state: subscription.state,
    reason: subscription.reason,
    position_no: subscription.position.number,
    position_part: subscription.position.part,
    failing_since: subscription.failingSince,
    created_at: subscription.createdAt,
    updated_at: tx.at,
    updated_by: tx.actor.userId,
    change_no: tx.entryNo,
  }
}

const setKeys = statement<Key & { secrets: string }>('update_subscription_keys', (db, p) =>
  db
    .updateTable('subscription')
    .set({ secrets: p('secrets') })
    .$call(whereEqual(p, 'companyId', 'subscriptionId')),
)

/** Replaces the keys that its deliveries are signed with. */
export function updateSigningKeys(tx: Tx, subscriptionId: string, signing: SubscriptionKeys): void {
  tx.send(setKeys, { companyId: tx.companyId, subscriptionId, secrets: JSON.stringify(signing) })
}

const move = statement<Key & { number: number; part: number }>('move_subscription', (db, p) =>
  db
    .updateTable('subscription')
    .set({ position_no: p('number'), position_part: p('part') })
    .$call(whereEqual(p, 'companyId', 'subscriptionId')),
)

/** Moves the position: no change of the record. */
export function moveSubscription(tx: Tx, subscriptionId: string, { number, part }: Position): void {
  tx.send(move, { companyId: tx.companyId, subscriptionId, number, part })
}

const remove = statement<Key>('delete_subscription', (db, p) =>
  db.deleteFrom('subscription').$call(whereEqual(p, 'companyId', 'subscriptionId')),
)
const removeEvents = statement<Key>('delete_subscription_events', (db, p) =>
  db.deleteFrom('subscription_event').$call(whereEqual(p, 'companyId', 'subscriptionId')),
)
const removeAttempts = statement<Key>('delete_subscription_attempts', (db, p) =>
  db.deleteFrom('subscription_attempt').$call(whereEqual(p, 'companyId', 'subscriptionId')),
)

export function deleteSubscription(tx: Tx, subscriptionId: string): void {
  const key = { companyId: tx.companyId, subscriptionId }
  // The subscription first: that locks it, as what delivers does.
  for (const statement of [remove, removeEvents, removeAttempts]) tx.send(statement, key)
}
