// A database that follows the one that is written to, as its driver opens it.
import type { Store } from './store.ts'

/** A place in the log that a database replays: it grows with every commit. */
export type ReplayPlace = number

export interface Replica {
  /** For reads alone. */
  readonly store: Store
  /** Where the database is that is written to. Rejects while it does not answer. */
  placeOfPrimary(): Promise<ReplayPlace>
  /** Up to where the replica has followed. Rejects while it does not answer, and when it is none of this database. */
  placeOfReplica(): Promise<ReplayPlace>
  close(): Promise<void>
}
