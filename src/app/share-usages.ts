import type { SharedUsages } from '../http/rate-limiter.ts'
import type { Store } from '../store/store.ts'
import { addUsage, forgetUsages } from '../store/usage-store.ts'

/** What clients have used, as the processes on a store tell each other. */
export function sharedUsages(store: Store): SharedUsages {
  return {
    add: (usage, since) => addUsage(store, usage, since),
    forget: (before) => forgetUsages(store, before),
  }
}
