// The rows of a part that were not imported.
import type { FileRow, RowFinding } from './rows/read-rows.ts'

/** Reports a row that was not imported. */
export type RejectRow = (row: FileRow, findings: readonly RowFinding[]) => void

export class RejectedRows {
  readonly #rows: (readonly [row: FileRow, findings: readonly RowFinding[]])[] = []
  readonly #named: (row: FileRow, findings: readonly RowFinding[]) => readonly RowFinding[]

  /** `named`: the findings with the names that the file has. */
  constructor(named: (row: FileRow, findings: readonly RowFinding[]) => readonly RowFinding[]) {
    this.#named = named
  }

  get all(): readonly (readonly [row: FileRow, findings: readonly RowFinding[]])[] {
    return this.#rows
  }

  add(row: FileRow, findings: readonly RowFinding[]): void {
    this.#rows.push([row, this.#named(row, findings)])
  }

  /** The function that is returned forgets what was added since. */
  mark(): () => void {
    const { length } = this.#rows
    return () => void this.#rows.splice(length)
  }
}
