// The dependencies of every use case, assembled once in app.ts.
import type { Caller } from '../../access/caller.ts'
import type { Clock } from '../../base/clock.ts'
import type { DocumentDefinition } from '../../model/document.ts'
import type { Observe } from '../../observe/observation.ts'
import type { Companies } from '../../setup/rules/companies.ts'
import type { RecordRules } from '../../setup/rules/record-rules.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { Actor, Store } from '../../store/store.ts'

export interface Service {
  readonly store: Store
  readonly companies: Companies
  readonly own: DeclaredRecords
  readonly observe: Observe
  readonly clock: Clock
}

/** The documents of the setup in force. */
export interface DeclaredRecords {
  /** Those on tables of the service, by name. */
  readonly records: ReadonlyMap<string, RecordRules>
  /** A document whose records clients write, by its version as in the path, such as `v1`, and its name. */
  findRecord(version: string, name: string): RecordRules | undefined
  /** The definition of a document that its records may refer to. */
  definitionOf(name: string, company: CompanyRules): DocumentDefinition | undefined
}

/** The author of a write, for the journal. */
export function actorOf({ caller, requestId }: { caller: Caller; requestId: string }): Actor {
  return { userId: caller.userId, clientId: caller.clientId, requestId }
}
