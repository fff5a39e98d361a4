import type { Lease } from '../../store/lease-table.ts'
import type { Actor, Store } from '../../store/store.ts'
import { writeChange } from '../subscription-answer.ts'
import { findKeyed, updateSubscription } from '../subscription-store.ts'
import { DELIVERY_LEASES } from './lease-store.ts'

/** The service itself. */
const SERVICE: Actor = { userId: '', clientId: '', requestId: '' }

/** Pauses an active subscription that this process delivers; returns whether it did. */
export function pauseHeld(store: Store, lease: Lease, reason: string): Promise<boolean> {
  return store.write(lease.companyId, SERVICE, async (tx) => {
    const found = await findKeyed(tx, lease.id)
    if (found?.subscription.state !== 'active' || !(await DELIVERY_LEASES.isHeld(tx, lease))) return false
    const paused = updateSubscription(tx, { ...found.subscription, state: 'paused', reason })
    await writeChange(tx, lease.id, found, { ...found, subscription: paused })
    return true
  })
}
