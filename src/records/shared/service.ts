// The dependencies of every use case, assembled once in app.ts.
import type { Caller } from '../../access/caller.ts'
import type { Clock } from '../../base/clock.ts'
import type { Observe } from '../../observe/observation.ts'
import type { Companies } from '../../setup/rules/companies.ts'
import type { Actor, Store } from '../../store/store.ts'

export interface Service {
  readonly store: Store
  readonly companies: Companies
  readonly observe: Observe
  readonly clock: Clock
}

/** The author of a write, for the journal. */
export function actorOf({ caller, requestId }: { caller: Caller; requestId: string }): Actor {
  return { userId: caller.userId, clientId: caller.clientId, requestId }
}
