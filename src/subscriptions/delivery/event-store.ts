// The SQL of events that were handed over for delivery. Of each record only one event has a time at which it is due;
// those behind it wait without one.
import { sql } from 'kysely'
import type { FeedPage } from '../../changes/feed/feed.ts'
import type { VisibleChange } from '../../changes/feed/visible-change.ts'
import type { Position } from '../../changes/record-change.ts'
import { asInteger, statement, whereEqual } from '../../sql/statement.ts'
import type { Lease } from '../../store/lease-table.ts'
import type { ReadTx, StateTx, Store, Tx } from '../../store/store.ts'
import { DELIVERY_MEMBER, type LeaseKey, leaseKey } from './lease-store.ts'

/** Stands for no time, where an earlier event of the record waits. */
const BEHIND = Number.MAX_SAFE_INTEGER

export interface WaitingEvent {
  readonly number: number
  readonly part: number
  /** Empty: no change of a record, but the advice to load them all. */
  readonly entity: string
  readonly recordKey: string
  /** How many attempts there were. */
  readonly attempts: number
  readonly nextAt: number
}

type Key = { companyId: string; subscriptionId: string }

const move = statement<LeaseKey & { number: number; part: number; fromNumber: number; fromPart: number }>(
  'move_held_subscription',
  (db, p) =>
    db
      .updateTable('subscription')
      .set({ position_no: p('number'), position_part: p('part') })
      .$call(whereEqual(p, 'companyId', 'subscriptionId', 'leaseNo'))
      .where('state', '=', sql.lit('active'))
      .where('position_no', '=', p('fromNumber'))
      .where('position_part', '=', p('fromPart')),
)

const insert = statement<
  Key & { number: number; part: number; entity: string; recordKey: string; now: number; at: string }
>(
  'insert_subscription_event',
  // A count, because a subselect among values is not possible in distributed tables. Where changes are told again, one
  // that was given up gets all its attempts again.
  (
    _db,
    p,
  ) => sql`insert into subscription_event (company_id, subscription_id, entry_no, part, entity, record_key, state,
      attempts, next_at, last_status, last_error, first_at)
    select ${p('companyId')}, ${p('subscriptionId')}, cast(${p('number')} as bigint), cast(${p('part')} as bigint),
      ${p('entity')}, ${p('recordKey')}, 'waiting', 0,
      case when count(*) > 0 then ${sql.lit(BEHIND)} else cast(${p('now')} as bigint) end, 0, '', ${p('at')}
    from subscription_event e
    where e.company_id = ${p('companyId')} and e.subscription_id = ${p('subscriptionId')}
      and e.record_key = ${p('recordKey')} and e.entity = ${p('entity')} and e.state = 'waiting'
    on conflict (company_id, subscription_id, entry_no, part) do update
      set state = 'waiting', attempts = 0, next_at = excluded.next_at where subscription_event.state = 'dead'`,
)

/** What the rows of events are made of. */
type NewEvent = Pick<VisibleChange, 'entity' | 'recordKey' | 'position'>

/**
 * Hands changes over and moves the position, both or none: a change is either after the position or among the events.
 * Returns whether it was done: not when the lease is lost, or the position was moved by somebody else.
 */
export function handOverEvents(
  store: Store,
  lease: Lease,
  from: Position,
  { changes, next }: { readonly changes: readonly NewEvent[]; readonly next: FeedPage['next'] },
  now: Date,
): Promise<boolean> {
  const { companyId, id: subscriptionId } = lease
  return store.writeState(companyId, DELIVERY_MEMBER, async (tx) => {
    const to = { ...next, fromNumber: from.number, fromPart: from.part }
    if ((await tx.run(move, { ...leaseKey(lease), ...to })) === 0) return false
    for (const { position, entity, recordKey } of changes) {
      const event = { ...position, entity, recordKey, now: now.getTime(), at: now.toISOString() }
      tx.send(insert, { companyId, subscriptionId, ...event })
    }
    return true
  })
}

const lock = statement<Key>('lock_subscription', (db, p) =>
  db
    .updateTable('subscription')
    .set((eb) => ({ attempt_count: eb.ref('attempt_count') }))
    .$call(whereEqual(p, 'companyId', 'subscriptionId')),
)

/** Hands an event over once more, unless it waits; the position stays. */
export function handOverAgain(tx: Tx, subscriptionId: string, { position, entity, recordKey }: NewEvent): void {
  const key = { companyId: tx.companyId, subscriptionId }
  // As what delivers does: an event of the record that ends meanwhile would not know that this one waits behind it.
  tx.send(lock, key)
  tx.send(insert, { ...key, ...position, entity, recordKey, now: Date.parse(tx.at), at: tx.at })
}

type DueRow = { entry_no: number; part: number; entity: string; record_key: string; attempts: number; next_at: number }

const due = statement<Key & { limit: number }, DueRow>('list_due_events', (db, p) =>
  db
    .selectFrom('subscription_event')
    .select(['entry_no', 'part', 'entity', 'record_key', 'attempts', 'next_at'])
    .$call(whereEqual(p, 'companyId', 'subscriptionId'))
    .where('state', '=', sql.lit('waiting'))
    .where('next_at', '<', sql.lit(BEHIND))
    .orderBy('next_at')
    .orderBy('entry_no')
    .orderBy('part')
    .limit(asInteger(p('limit'))),
)

/** The events that are due first, at most one of each record unless some were given up before. */
export async function listDue(tx: ReadTx, subscriptionId: string, limit: number): Promise<WaitingEvent[]> {
  const rows = await tx.all(due, { companyId: tx.companyId, subscriptionId, limit })
  return rows.map(({ entry_no, part, entity, record_key, attempts, next_at }) => ({
    number: entry_no,
    part,
    entity,
    recordKey: record_key,
    attempts,
    nextAt: next_at,
  }))
}

/** The events of a subscription that are not delivered. */
interface Undelivered {
  readonly waiting: number
  readonly dead: number
  /** Since when the oldest one waits; empty when none does. */
  readonly oldest: string
}

const undelivered = statement<Key, { waiting: number; dead: number; oldest: string }>(
  'count_undelivered_events',
  (_db, p) => sql`select count(*) filter (where state = 'waiting') as waiting,
      count(*) filter (where state = 'dead') as dead,
      coalesce(min(first_at) filter (where state = 'waiting'), '') as oldest
    from subscription_event
    where company_id = ${p('companyId')} and subscription_id = ${p('subscriptionId')}`,
)

export async function countUndelivered(tx: ReadTx, subscriptionId: string): Promise<Undelivered> {
  const row = await tx.first(undelivered, { companyId: tx.companyId, subscriptionId })
  return { waiting: Number(row?.waiting ?? 0), dead: Number(row?.dead ?? 0), oldest: row?.oldest ?? '' }
}

type EventKey = Key & { number: number; part: number }

const remove = statement<EventKey>('delete_subscription_event', (db, p) =>
  db
    .deleteFrom('subscription_event')
    .$call(whereEqual(p, 'companyId', 'subscriptionId'))
    .where('entry_no', '=', p('number'))
    .where('part', '=', p('part')),
)

const fail = statement<EventKey & { attempts: number; state: string; nextAt: number; status: number; error: string }>(
  'fail_subscription_event',
  (db, p) =>
    db
      .updateTable('subscription_event')
      .set({
        attempts: p('attempts'),
        state: p('state'),
        next_at: p('nextAt'),
        last_status: p('status'),
        last_error: p('error'),
      })
      .$call(whereEqual(p, 'companyId', 'subscriptionId'))
      .where('entry_no', '=', p('number'))
      .where('part', '=', p('part')),
)

const release = statement<Key & { entity: string; recordKey: string; now: number }>(
  'release_next_event',
  (_db, p) => sql`update subscription_event set next_at = ${p('now')}
    where company_id = ${p('companyId')} and subscription_id = ${p('subscriptionId')} and next_at = ${sql.lit(BEHIND)}
      and (entry_no, part) = (select e.entry_no, e.part from subscription_event e
        where e.company_id = ${p('companyId')} and e.subscription_id = ${p('subscriptionId')}
          and e.record_key = ${p('recordKey')} and e.entity = ${p('entity')} and e.state = 'waiting'
        order by e.entry_no, e.part limit 1)`,
)

const makeAllDue = statement<Key & { now: number }>('make_events_due', (db, p) =>
  db
    .updateTable('subscription_event')
    .set({ next_at: p('now') })
    .$call(whereEqual(p, 'companyId', 'subscriptionId'))
    .where('state', '=', sql.lit('waiting'))
    .where('next_at', '<', sql.lit(BEHIND)),
)

/** Makes all events due that wait for their next attempt: the subscription is resumed. */
export function makeDue(tx: Tx, subscriptionId: string): void {
  tx.send(makeAllDue, { companyId: tx.companyId, subscriptionId, now: Date.parse(tx.at) })
}

/** How the attempt to deliver an event has ended. */
export type EventEnd =
  | { readonly kind: 'delivered' }
  /** What the owner may see has changed, or the record is erased. */
  | { readonly kind: 'dropped' }
  | { readonly kind: 'failed'; readonly nextAt: number; readonly status: number; readonly error: string }
  | { readonly kind: 'dead'; readonly status: number; readonly error: string }

/** Ends an attempt of one event; unless it is tried again, the next event of the record is due. */
export function endEvent(tx: StateTx, subscriptionId: string, event: WaitingEvent, end: EventEnd, now: number): void {
  const key = { companyId: tx.companyId, subscriptionId }
  const { number, part, entity, recordKey } = event
  if (end.kind === 'delivered' || end.kind === 'dropped') tx.send(remove, { ...key, number, part })
  else {
    const [state, nextAt] = end.kind === 'dead' ? ['dead', 0] : ['waiting', end.nextAt]
    const { status, error } = end
    tx.send(fail, { ...key, number, part, attempts: event.attempts + 1, state, nextAt, status, error })
  }
  if (end.kind !== 'failed') tx.send(release, { ...key, entity, recordKey, now })
}
