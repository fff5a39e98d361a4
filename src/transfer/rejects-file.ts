// Rejected rows, each with what is wrong with it: `line,column,message,row`. The file is made with the first of them.
import { closeSync, fstatSync, openSync, writeSync } from 'node:fs'
import type { Row } from './read-rows.ts'
import type { RowFinding } from './row-reader.ts'

export class RejectsFile {
  readonly #path: string
  readonly #isGoingOn: boolean
  #handle: number | undefined
  /** How many rows have been rejected. */
  count = 0

  /** `isGoingOn`: what an interrupted import has written there stays. */
  constructor(path: string, isGoingOn: boolean) {
    this.#path = path
    this.#isGoingOn = isGoingOn
  }

  /** Written at once: it must be there before the batch that leaves the row out is kept. */
  add(row: Row, findings: readonly RowFinding[]): void {
    this.count += 1
    this.#handle ??= this.#open()
    const lines = findings.map(({ column, message }) => lineOf([String(row.line), column, message, row.text]))
    writeSync(this.#handle, lines.join(''))
  }

  close(): void {
    if (this.#handle !== undefined) closeSync(this.#handle)
    this.#handle = undefined
  }

  #open(): number {
    const handle = openSync(this.#path, this.#isGoingOn ? 'a' : 'w')
    if (fstatSync(handle).size === 0) writeSync(handle, 'line,column,message,row\r\n')
    return handle
  }
}

function lineOf(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`
}
