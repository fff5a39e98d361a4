// A change of one record as the log has it, whoever asks: what the feed, the history and the past are made from.
import type { Columns, JournaledKind } from '../records/kinds/kind.ts'

/** The last change that a reader has; what follows it is new to the reader. */
export interface Position {
  /** The number of a journal entry. */
  readonly number: number
  /** The place among the changes of this number; 0 for nearly all. */
  readonly part: number
}

/** The part of a position after all changes of its number. */
export const ALL_PARTS = Number.MAX_SAFE_INTEGER

export interface RecordChange extends Position {
  /** When it was written, as stored. */
  readonly at: string
  readonly userId: string
  readonly clientId: string
  readonly requestId: string
  readonly kind: JournaledKind
  /** The parts of the record's key below the company, in the order of `kind.keyNames`. */
  readonly key: readonly (string | number)[]
  /** As the journal names it; `update` for the owner of a relation that was changed. */
  readonly operation: 'create' | 'update' | 'delete'
  /** The record as GET answers it to a caller without restrictions; empty when it is not there. */
  readonly before: string
  readonly after: string
  /** What the record calls the lines that were changed with it. */
  readonly lines?: readonly string[]
  /** Whether the record was there before, but the log no longer has its text. */
  readonly isBeforeUnknown?: boolean
  /** The number in the entity tag of the record; undefined for records without one. */
  readonly etag: number | undefined
  /** Columns that the texts do not show, for `kind.rowOf`; `document` those of `documentText`. */
  readonly unseen: {
    readonly before: Columns
    readonly after: Columns
    readonly document?: Columns
  }
  /** A revision has its document at that number, which decides who may see it. */
  readonly documentText?: string
}
