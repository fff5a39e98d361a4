import type { Usage } from '../http/rate-limiter.ts'
import type { Store } from '../store/store.ts'
import { addUsages } from '../store/usage-store.ts'

/** Counts that are older are of no window any more. */
const USAGE_KEPT_MS = 15 * 60_000

/** Tells the other processes on the store what clients have used; gives what all have. */
export async function shareUsages(store: Store, usages: readonly Usage[]): Promise<readonly Usage[]> {
  const rows = usages.map(({ clientId, kind, windowStart, amount }) => {
    return { client_id: clientId, kind, window_start: windowStart, amount }
  })
  const totals = await addUsages(store, rows, Date.now() - USAGE_KEPT_MS)
  return totals.map(({ client_id, kind, window_start, amount }) => {
    return { clientId: client_id, kind: kind as Usage['kind'], windowStart: window_start, amount }
  })
}
