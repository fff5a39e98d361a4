// Each active subscription is delivered by one process at a time.
import { sql } from 'kysely'
import { type Lease, LeaseTable } from '../../store/lease-table.ts'

export const DELIVERY_LEASES = new LeaseTable({
  table: 'subscription',
  idColumn: 'subscription_id',
  member: ' deliveries',
  isOpen: () => sql`state = 'active'`,
})

/** The member of a company in fair queues that its deliveries write as. */
export const DELIVERY_MEMBER = DELIVERY_LEASES.member

export type LeaseKey = { companyId: string; subscriptionId: string; leaseNo: number }

/** As the parameters of statements. */
export function leaseKey({ companyId, id, leaseNo }: Lease): LeaseKey {
  return { companyId, subscriptionId: id, leaseNo }
}
