// The SQL of migrations that differs between databases.
import type { Kysely } from 'kysely'

export interface SchemaSql {
  // The types of columns: nothing is null, and text is ordered by code point.
  readonly text: string
  readonly integer: string
  readonly number: string
  readonly json: string
  readonly bytes: string
  /** The text after the closing parenthesis of `create table`. */
  readonly tail: string
  /** The same for a table with long rows, which are stored apart from the index of their key. */
  readonly longRowsTail: string
  readonly rowLevelSecurity: boolean
  /** Creates the word index of the full-text search. */
  readonly wordIndex: readonly string[]
  /** The view of the change log, unless every connection creates it for itself. */
  readonly journalView: readonly string[]
  /** Statements that lift the timeout of the transaction, before work on many rows. */
  readonly withoutTimeout: readonly string[]
  /** Statements after a change of indexes: statistics that an earlier version gathered would still influence plans. */
  readonly forgetStatistics: readonly string[]
  /** Replaces an index whose entries cannot hold long descriptions, where there is a limit. */
  readonly longTexts: readonly string[]
  /**
   * Converts a column of doubles to exact decimals. Throws, with the amount, when a double is not one of this scale
   * below the bound.
   */
  toDecimals(db: Kysely<unknown>, column: AmountColumn): Promise<void>
}

export interface AmountColumn {
  readonly table: string
  readonly column: string
  readonly scale: number
  readonly bound: string
}
