// A database of the service with a ledger of any size. The lines are loaded around the service, which would take twenty
// minutes for ten million: indexes are dropped before and built after.
import type { Scale } from '../records/scale.ts'

export interface LedgerDatabase {
  readonly name: string
  /** The arguments of the service that name its database. */
  readonly settings: readonly string[]
  /** The process that works for the service, if any. */
  readonly helper?: number
  /** Fills the table, and gathers what the database itself would gather within a day. */
  fill(scale: Scale): Promise<void>
  /** Sizes in bytes of the table and of each of its indexes. */
  sizes(): Promise<readonly (readonly [name: string, bytes: number])[]>
  remove(): Promise<void>
}
