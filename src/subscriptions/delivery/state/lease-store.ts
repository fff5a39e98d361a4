// The SQL of leases: each active subscription is delivered by one process at a time. The number of a lease grows with
// each holder, and every write of a holder names it: one that was believed dead can do no harm.

import { sql } from 'kysely'
import { statement } from '../../../store/statement.ts'
import type { ReadTx, Store } from '../../../store/store.ts'

/** The member of a company in fair queues that its deliveries write as. No client has such an id. */
export const DELIVERY_MEMBER = ' deliveries'

export interface Lease {
  readonly companyId: string
  readonly subscriptionId: string
  readonly leaseNo: number
}

/** Another process delivers by now, or the subscription is gone. */
export class LeaseLost extends Error {}

export type LeaseKey = { companyId: string; subscriptionId: string; leaseNo: number }

/** As the parameters of statements. */
export function leaseKey({ companyId, subscriptionId, leaseNo }: Lease): LeaseKey {
  return { companyId, subscriptionId, leaseNo }
}

const free = statement<{ companyId: string; now: number }, { subscription_id: string }>(
  'list_free_subscriptions',
  (db, p) =>
    db
      .selectFrom('subscription')
      .select('subscription_id')
      .where('company_id', '=', p('companyId'))
      .where('state', '=', sql.lit('active'))
      .where('lease_until', '<=', p('now')),
)

/** The active subscriptions of a company that no process delivers. */
export async function listFree(tx: ReadTx, now: number): Promise<string[]> {
  const rows = await tx.all(free, { companyId: tx.companyId, now })
  return rows.map(({ subscription_id }) => subscription_id)
}

interface Holder {
  readonly holder: string
  /** In milliseconds since 1970, as all of these. */
  readonly now: number
  readonly until: number
}

const take = statement<
  { companyId: string; subscriptionId: string; holder: string; now: number; until: number },
  { lease_no: number }
>('take_subscription_lease', (db, p) =>
  db
    .updateTable('subscription')
    .set((eb) => ({ lease_holder: p('holder'), lease_until: p('until'), lease_no: eb('lease_no', '+', sql.lit(1)) }))
    .where('company_id', '=', p('companyId'))
    .where('subscription_id', '=', p('subscriptionId'))
    .where('state', '=', sql.lit('active'))
    .where('lease_until', '<=', p('now'))
    .returning('lease_no'),
)

/** Takes the lease of a subscription; undefined when another process was faster. */
export async function takeLease(
  store: Store,
  { companyId, subscriptionId }: Omit<Lease, 'leaseNo'>,
  holder: Holder,
): Promise<Lease | undefined> {
  const row = await store.writeState(companyId, DELIVERY_MEMBER, (tx) =>
    tx.first(take, { companyId, subscriptionId, ...holder }),
  )
  return row && { companyId, subscriptionId, leaseNo: row.lease_no }
}

const renew = statement<
  { companyId: string; holder: string; until: number },
  { subscription_id: string; lease_no: number }
>('renew_subscription_leases', (db, p) =>
  db
    .updateTable('subscription')
    .set({ lease_until: p('until') })
    .where('company_id', '=', p('companyId'))
    .where('lease_holder', '=', p('holder'))
    .returning(['subscription_id', 'lease_no']),
)

/** Renews all leases that the holder has in a company; returns their numbers by subscription. */
export async function renewLeases(
  store: Store,
  companyId: string,
  { holder, until }: Holder,
): Promise<ReadonlyMap<string, number>> {
  const rows = await store.writeState(companyId, DELIVERY_MEMBER, (tx) => tx.all(renew, { companyId, holder, until }))
  return new Map(rows.map(({ subscription_id, lease_no }) => [subscription_id, lease_no]))
}

const release = statement<LeaseKey>('release_subscription_lease', (db, p) =>
  db
    .updateTable('subscription')
    .set({ lease_holder: sql.lit(''), lease_until: sql.lit(0) })
    .where('company_id', '=', p('companyId'))
    .where('subscription_id', '=', p('subscriptionId'))
    .where('lease_no', '=', p('leaseNo')),
)

/** Lets another process deliver at once. */
export async function releaseLease(store: Store, lease: Lease): Promise<void> {
  await store.writeState(lease.companyId, DELIVERY_MEMBER, (tx) => tx.run(release, leaseKey(lease)))
}

const held = statement<LeaseKey, { lease_no: number }>('find_subscription_lease', (db, p) =>
  db
    .selectFrom('subscription')
    .select('lease_no')
    .where('company_id', '=', p('companyId'))
    .where('subscription_id', '=', p('subscriptionId'))
    .where('lease_no', '=', p('leaseNo')),
)

/** Whether no other process has taken the lease. */
export async function isHeld(tx: ReadTx, lease: Lease): Promise<boolean> {
  return (await tx.first(held, leaseKey(lease))) !== undefined
}
