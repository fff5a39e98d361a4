import { writeEntry } from '../../store/journal/journal.ts'
import type { Lease } from '../../store/lease-table.ts'
import type { Actor, Store } from '../../store/store.ts'
import { ENTITY, journalText } from '../subscription-answer.ts'
import { findSigningKeys, findSubscription, updateSubscription } from '../subscription-store.ts'
import { DELIVERY_LEASES } from './lease-store.ts'

/** The service itself. */
const SERVICE: Actor = { userId: '', clientId: '', requestId: '' }

/** Pauses an active subscription that this process delivers; returns whether it did. */
export function pauseHeld(store: Store, lease: Lease, reason: string): Promise<boolean> {
  return store.write(lease.companyId, SERVICE, async (tx) => {
    const subscription = await findSubscription(tx, lease.id)
    const keys = await findSigningKeys(tx, lease.id)
    if (!keys || subscription?.state !== 'active' || !(await DELIVERY_LEASES.isHeld(tx, lease))) return false
    const paused = { ...subscription, state: 'paused' as const, reason }
    updateSubscription(tx, paused)
    const before = journalText({ subscription, keys })
    const after = journalText({ subscription: paused, keys })
    await writeEntry(tx, { entity: ENTITY, key: [lease.id], operation: 'update', before, after })
    return true
  })
}
