// Single records as they were, and their history. The change log knows both (`changes/past`).
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { QueryCaller } from '../../store/store.ts'
import type { RecordAccess } from './record-access.ts'

/** A record whose past is asked for. */
export interface RequestedRecord {
  readonly company: CompanyRules
  /** The name of its Enterprise Document. */
  readonly entity: string
  /** The parts of the key, as the journal has them. */
  readonly key: readonly (string | number)[]
  readonly access: RecordAccess
  readonly requester: QueryCaller
}

export interface PastRecord {
  /** Its JSON without the members that are hidden from the caller. */
  readonly body: string
  /** The number in its entity tag. */
  readonly change_no: number
  /** The last change at the moment or before it. */
  readonly changeNumber: number
}

export interface HistoryPage {
  /** Only changes before this number; by default all. */
  readonly before: number | undefined
  readonly limit: number
  /** Whether the caller may know the clients that have made the changes. */
  readonly showsClients: boolean
}

export interface PastRecords {
  /**
   * The record at the moment of an `asOf`; undefined if it was not there, or out of sight. Throws 400 for a text that
   * is no moment, and 410 when what was then is no longer kept.
   */
  recordAt(requested: RequestedRecord, asOf: string): Promise<PastRecord | undefined>
  /** The changes that the caller may know of, the newest first, as JSON; undefined when there are none at all. */
  historyOf(requested: RequestedRecord, page: HistoryPage): Promise<string | undefined>
}
