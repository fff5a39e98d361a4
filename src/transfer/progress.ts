// How far an import is: stored in the writes of its rows, so that one that was interrupted goes on with the next row.

import type { ValueName } from '../records/shared/master-data/value-store.ts'
import {
  findProgress,
  forgetImportedRows,
  listImportedRows,
  putImportedRow,
  putProgress,
} from '../store/service-state/import-store.ts'
import type { ReadTx, Tx } from '../store/store.ts'
import type { RejectedRows } from './rejected-rows.ts'

/** A part of the rows of a file, whose last line is completed. */
export interface CompletedPart extends ImportCounts {
  readonly lastLine: number
  readonly rejected: RejectedRows
}

/** Counts of the rows that were not rejected. */
export interface ImportCounts {
  readonly written: number
  /** Rows whose records already existed with the same values. */
  readonly unchanged: number
  /** Codes that were added for them. */
  readonly codes?: readonly ValueName[]
}

export interface ImportProgress {
  /** The last line that an earlier run has completed; 0 for none. */
  readonly doneUpTo: number
  /** Called in the write of a part, after its rows; again if that is done again. */
  put(tx: Tx, part: CompletedPart): Promise<void>
  /** Called in the write of a row that is written by itself, after it. */
  putRow(tx: Tx, line: number): Promise<void>
  /** Whether an earlier run has written the row by itself, in a part that it has not completed. */
  hasRow(line: number): boolean
}

/** Begins where an earlier import of the file has come to; `source` identifies the file. */
export async function fileProgress(tx: ReadTx, document: string, source: string): Promise<ImportProgress> {
  const rows = new Set(await listImportedRows(tx, document, source))
  return progressOf(document, source, await findProgress(tx, document, source), rows)
}

/** The file is imported from its first line, whatever was done before. */
export const newProgress = (document: string, source: string): ImportProgress =>
  progressOf(document, source, 0, new Set())

function progressOf(document: string, source: string, doneUpTo: number, rows: ReadonlySet<number>): ImportProgress {
  return {
    doneUpTo,
    put: async (tx, { lastLine }) => {
      putProgress(tx, document, source, lastLine)
      forgetImportedRows(tx, document, source)
    },
    putRow: async (tx, line) => putImportedRow(tx, document, source, line),
    hasRow: (line) => rows.has(line),
  }
}
