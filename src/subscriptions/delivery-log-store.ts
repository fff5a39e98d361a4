// The SQL of what is told of deliveries: attempts, events that were given up, and how much is still to come.
import { sql } from 'kysely'
import type { Placeholder } from '../sql/dialect.ts'
import { asInteger, statement, whereEqual } from '../sql/statement.ts'
import type { SubscriptionAttemptTable, SubscriptionEventTable } from '../sql/subscription-tables.ts'
import type { ReadTx, Tx } from '../store/store.ts'

type Key = { companyId: string; subscriptionId: string }

type AttemptRow = Omit<SubscriptionAttemptTable, 'company_id' | 'subscription_id'>

const attempts = statement<Key & { limit: number }, AttemptRow>('list_subscription_attempts', (db, p) =>
  db
    .selectFrom('subscription_attempt')
    .select([
      ...(['attempt_no', 'entry_no', 'part', 'events', 'at', 'attempt', 'status', 'outcome', 'ms', 'excerpt'] as const),
    ])
    .$call(whereEqual(p, 'companyId', 'subscriptionId'))
    .orderBy('attempt_no', 'desc')
    .limit(asInteger(p('limit'))),
)

/** The newest attempts to deliver, the newest first. */
export function listAttempts(tx: ReadTx, subscriptionId: string, limit: number): Promise<AttemptRow[]> {
  return tx.all(attempts, { companyId: tx.companyId, subscriptionId, limit })
}

type EventRow = Omit<SubscriptionEventTable, 'company_id' | 'subscription_id' | 'state' | 'next_at'>

const deadLetters = statement<Key & { from: number; limit: number }, EventRow>('list_dead_letters', (db, p) =>
  db
    .selectFrom('subscription_event')
    .select(['entry_no', 'part', 'entity', 'record_key', 'attempts', 'last_status', 'last_error', 'first_at'])
    .$call(whereEqual(p, 'companyId', 'subscriptionId'))
    .where('state', '=', sql.lit('dead'))
    .where('entry_no', '>=', p('from'))
    .orderBy('entry_no')
    .orderBy('part')
    .limit(asInteger(p('limit'))),
)

/** Events that were given up, from a change number on. */
export function listDeadLetters(tx: ReadTx, subscriptionId: string, from: number, limit: number): Promise<EventRow[]> {
  return tx.all(deadLetters, { companyId: tx.companyId, subscriptionId, from, limit })
}

/** An event, or all of a range of change numbers. */
export interface EventRange {
  readonly from: number
  readonly to: number
  /** Absent: all parts. */
  readonly part?: number
}

const retry = statement<Key & { from: number; to: number; fromPart: number; toPart: number; at: number }>(
  'retry_dead_letters',
  (db, p) =>
    db
      .updateTable('subscription_event')
      .set({ state: sql.lit('waiting'), attempts: sql.lit(0), next_at: p('at') })
      .$call(whereEqual(p, 'companyId', 'subscriptionId'))
      .where('state', '=', sql.lit('dead'))
      .where('entry_no', '>=', p('from'))
      .where('entry_no', '<=', p('to'))
      .where('part', '>=', p('fromPart'))
      .where('part', '<=', p('toPart')),
)

/** Makes events that were given up due again, with all their attempts. Returns how many. */
export function retryDeadLetters(tx: Tx, subscriptionId: string, { from, to, part }: EventRange): Promise<number> {
  const parts = { fromPart: part ?? 0, toPart: part ?? Number.MAX_SAFE_INTEGER }
  const at = Date.parse(tx.at)
  return tx.run(retry, { companyId: tx.companyId, subscriptionId, from, to, ...parts, at })
}

const forgetAfter = statement<Key & { number: number; part: number }>('delete_events_after', (db, p) =>
  db
    .deleteFrom('subscription_event')
    .$call(whereEqual(p, 'companyId', 'subscriptionId'))
    .where((eb) =>
      eb.or([eb('entry_no', '>', p('number')), eb.and([eb('entry_no', '=', p('number')), eb('part', '>', p('part'))])]),
    ),
)

/** Removes the events after a position, which are handed over again. */
export function deleteEventsAfter(tx: Tx, subscriptionId: string, { number, part }: { number: number; part: number }) {
  tx.send(forgetAfter, { companyId: tx.companyId, subscriptionId, number, part })
}

/** How much of a subscription is still to come. */
export interface Backlog {
  readonly subscription_id: string
  /** The number of the newest change of the company. */
  readonly head_no: number
  /** Events that were handed over and are not delivered. */
  readonly waiting: number
  readonly dead: number
  /** When the oldest waiting event was handed over; empty if none waits. */
  readonly oldest_event: string
  /** When the first change after the position was made, in milliseconds since 1970; 0 if there is none. */
  readonly oldest_entry: number
}

function backlogOf(p: Placeholder<{ companyId: string }>, condition = sql``) {
  const events = (columns: string, state: string) =>
    sql`(select ${sql.raw(columns)} from subscription_event e
      where e.company_id = ${p('companyId')} and e.subscription_id = s.subscription_id and e.state = ${sql.lit(state)})`
  return sql`
    select s.subscription_id, c.head_no,
      ${events('count(*)', 'waiting')} as waiting, ${events('count(*)', 'dead')} as dead,
      ${events(`coalesce(min(e.first_at), '')`, 'waiting')} as oldest_event,
      coalesce((select j.at from journal_entry j where j.company_id = ${p('companyId')} and j.entry_no > s.position_no
        order by j.entry_no limit 1), 0) as oldest_entry
    from subscription s join journal_counter c on c.company_id = ${p('companyId')}
    where s.company_id = ${p('companyId')}${condition}`
}

const backlog = statement<Key, Backlog>('find_subscription_backlog', (_db, p) =>
  backlogOf(p, sql` and s.subscription_id = ${p('subscriptionId')}`),
)

export function findBacklog(tx: ReadTx, subscriptionId: string): Promise<Backlog | undefined> {
  return tx.first(backlog, { companyId: tx.companyId, subscriptionId })
}

const backlogs = statement<{ companyId: string }, Backlog>('list_subscription_backlogs', (_db, p) => backlogOf(p))

/** The backlogs of all subscriptions of the company. */
export function listBacklogs(tx: ReadTx): Promise<Backlog[]> {
  return tx.all(backlogs, { companyId: tx.companyId })
}
