import { OPERATION_LEASES } from '../batch-operations/held-operation-store.ts'
import { Problem } from '../errors/problem.ts'
import type { Companies } from '../setup/rules/companies.ts'
import type { Store } from '../store/store.ts'
import { DELIVERY_LEASES } from '../subscriptions/delivery/lease-store.ts'

/** For the first process on a data folder, which it holds: whoever has held leases before has ended. */
export async function releaseEndedLeases(store: Store, companies: Companies): Promise<void> {
  for (const { id } of companies.all) {
    for (const leases of [DELIVERY_LEASES, OPERATION_LEASES]) {
      await leases.releaseAll(store, id).catch((thrown: unknown) => {
        // On a full disk they end by themselves.
        if (!(thrown instanceof Problem)) throw thrown
      })
    }
  }
}
