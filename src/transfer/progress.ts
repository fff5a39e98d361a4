// How far an import is: stored in the writes of its rows, so that one that was interrupted goes on with the next row.
import {
  findProgress,
  forgetImportedRows,
  listImportedRows,
  putImportedRow,
  putProgress,
} from '../store/service-state/import-store.ts'
import type { ReadTx, Tx } from '../store/store.ts'
import type { NewCode } from './missing-codes.ts'
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
  readonly codes?: readonly NewCode[]
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

/** A file is imported into a document; `source` identifies the file. */
export class FileProgress implements ImportProgress {
  readonly #document: string
  readonly #source: string
  readonly #rows: ReadonlySet<number>
  readonly doneUpTo: number

  private constructor(document: string, source: string, doneUpTo: number, rows: ReadonlySet<number>) {
    this.#document = document
    this.#source = source
    this.doneUpTo = doneUpTo
    this.#rows = rows
  }

  static async find(tx: ReadTx, document: string, source: string): Promise<FileProgress> {
    const rows = await listImportedRows(tx, document, source)
    return new FileProgress(document, source, await findProgress(tx, document, source), new Set(rows))
  }

  /** The file is imported from its first line, whatever was done before. */
  static anew(document: string, source: string): FileProgress {
    return new FileProgress(document, source, 0, new Set())
  }

  async put(tx: Tx, { lastLine }: CompletedPart): Promise<void> {
    putProgress(tx, this.#document, this.#source, lastLine)
    forgetImportedRows(tx, this.#document, this.#source)
  }

  async putRow(tx: Tx, line: number): Promise<void> {
    putImportedRow(tx, this.#document, this.#source, line)
  }

  hasRow(line: number): boolean {
    return this.#rows.has(line)
  }
}
