// The SQL of attempts to deliver, as they end.
import { sql } from 'kysely'
import { statement, whereEqual } from '../../sql/statement.ts'
import type { SubscriptionAttemptTable } from '../../sql/subscription-tables.ts'
import { type Lease, LeaseLost } from '../../store/lease-table.ts'
import type { StateTx, Store } from '../../store/store.ts'
import type { WebhookReply } from '../webhook-sender.ts'
import { type EventEnd, endEvent, type WaitingEvent } from './event-store.ts'
import { DELIVERY_MEMBER, type LeaseKey, leaseKey } from './lease-store.ts'

/** Older attempts of a subscription are forgotten. */
const KEPT_ATTEMPTS = 1_000

/** A request that was sent, or that a look at the address has prevented. */
export interface EndedAttempt extends WebhookReply {
  /** The first event. */
  readonly event: WaitingEvent
  readonly events: number
  readonly at: Date
}

/** What has become of events, with the attempt unless nothing was sent. */
export interface DeliveryResult {
  readonly ends: readonly { readonly event: WaitingEvent; readonly end: EventEnd }[]
  readonly attempt?: EndedAttempt
}

const end = statement<
  LeaseKey & { attempts: number; hasDelivered: number; hasFailed: number; at: string },
  { attempt_count: number; failing_since: string; state: string }
>('end_held_attempts', (db, p) =>
  db
    .updateTable('subscription')
    .set((eb) => ({
      attempt_count: eb('attempt_count', '+', p('attempts')),
      failing_since: sql<string>`case when ${p('hasDelivered')} = 1 then '' when ${p('hasFailed')} = 1
        and failing_since = '' then ${p('at')} else failing_since end`,
    }))
    .$call(whereEqual(p, 'companyId', 'subscriptionId', 'leaseNo'))
    .returning(['attempt_count', 'failing_since', 'state']),
)

/** The subscription after results were recorded. */
export interface AfterResults {
  /** Since when no delivery has succeeded; empty when the last one did. */
  readonly failingSince: string
  readonly isActive: boolean
}

/** Records results, all or none. Throws `LeaseLost` when another process delivers by now: then nothing is recorded. */
export function endAttempts(
  store: Store,
  lease: Lease,
  results: readonly DeliveryResult[],
  now: Date,
): Promise<AfterResults> {
  const attempts = results.flatMap(({ attempt }) => attempt ?? [])
  const has = (isDelivered: boolean) =>
    attempts.some(({ outcome }) => (outcome === 'delivered') === isDelivered) ? 1 : 0
  return store.writeState(lease.companyId, DELIVERY_MEMBER, async (tx) => {
    // It also locks the subscription: what is behind an event is found and released in turn.
    const row = await tx.first(end, {
      ...leaseKey(lease),
      attempts: attempts.length,
      hasDelivered: has(true),
      hasFailed: has(false),
      at: now.toISOString(),
    })
    if (!row) throw new LeaseLost()
    for (const { event, end } of results.flatMap(({ ends }) => ends)) {
      endEvent(tx, lease.id, event, end, now.getTime())
    }
    addAttempts(tx, lease.id, attempts, row.attempt_count)
    return { failingSince: row.failing_since, isActive: row.state === 'active' }
  })
}

type AttemptRow = Omit<SubscriptionAttemptTable, 'company_id' | 'subscription_id'>

const insert = statement<{ companyId: string; subscriptionId: string } & AttemptRow>(
  'insert_subscription_attempt',
  (db, p) =>
    db.insertInto('subscription_attempt').values({
      company_id: p('companyId'),
      subscription_id: p('subscriptionId'),
      attempt_no: p('attempt_no'),
      entry_no: p('entry_no'),
      part: p('part'),
      events: p('events'),
      at: p('at'),
      attempt: p('attempt'),
      status: p('status'),
      outcome: p('outcome'),
      ms: p('ms'),
      excerpt: p('excerpt'),
    }),
)

const forget = statement<{ companyId: string; subscriptionId: string; upTo: number }>(
  'forget_subscription_attempts',
  (db, p) =>
    db
      .deleteFrom('subscription_attempt')
      .$call(whereEqual(p, 'companyId', 'subscriptionId'))
      .where('attempt_no', '<=', p('upTo')),
)

/** `count` is the number of all attempts with these. */
function addAttempts(tx: StateTx, subscriptionId: string, attempts: readonly EndedAttempt[], count: number): void {
  const key = { companyId: tx.companyId, subscriptionId }
  for (const [index, { event, events, at, status, outcome, ms, excerpt }] of attempts.entries()) {
    tx.send(insert, {
      ...key,
      attempt_no: count - attempts.length + index + 1,
      entry_no: event.number,
      part: event.part,
      events,
      at: at.toISOString(),
      attempt: event.attempts + 1,
      status,
      outcome,
      ms,
      excerpt,
    })
  }
  if (attempts.length > 0 && count > KEPT_ATTEMPTS) tx.send(forget, { ...key, upTo: count - KEPT_ATTEMPTS })
}
