import type { Actor, Store } from '../../store/store.ts'
import { findSubscription, updateSubscription } from '../subscription-store.ts'
import { isHeld, type Lease } from './state/lease-store.ts'

/** The service itself. */
const SERVICE: Actor = { userId: '', clientId: '', requestId: '' }

/** Pauses an active subscription that this process delivers; returns whether it did. */
export function pauseHeld(store: Store, lease: Lease, reason: string): Promise<boolean> {
  return store.write(lease.companyId, SERVICE, async (tx) => {
    const subscription = await findSubscription(tx, lease.subscriptionId)
    if (subscription?.state !== 'active' || !(await isHeld(tx, lease))) return false
    updateSubscription(tx, { ...subscription, state: 'paused', reason })
    return true
  })
}
