// Rejected rows, each with what is wrong with it: `line,column,message,row`. The file is made with the first of them.
import { closeSync, createReadStream, existsSync, fstatSync, openSync, truncateSync, writeSync } from 'node:fs'
import { CsvError, parse } from 'csv-parse'
import type { Row } from './read-rows.ts'
import type { RowFinding } from './row-reader.ts'

export class RejectsFile {
  readonly #path: string
  readonly #isGoingOn: boolean
  #handle: number | undefined
  /** How many rows have been rejected. */
  count = 0

  private constructor(path: string, isGoingOn: boolean) {
    this.#path = path
    this.#isGoingOn = isGoingOn
  }

  /**
   * For an import that goes on behind line `doneUpTo`, 0 for one that begins. What an interrupted import has written of
   * later lines is taken away: those rows are read again.
   */
  static async open(path: string, doneUpTo: number): Promise<RejectsFile> {
    if (doneUpTo > 0 && existsSync(path)) truncateSync(path, await lengthUpTo(path, doneUpTo))
    return new RejectsFile(path, doneUpTo > 0)
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

/** The bytes of the records that tell of lines up to this one, which come first. */
async function lengthUpTo(path: string, lastLine: number): Promise<number> {
  let length = 0
  // A kill may leave half a record at the end: it is not read as one.
  const records = createReadStream(path).pipe(parse({ info: true, relax_column_count: true, relax_quotes: true }))
  try {
    for await (const { record, info } of records as AsyncIterable<{ record: string[]; info: { bytes: number } }>) {
      if (Number(record[0]) > lastLine) break
      length = info.bytes
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
  }
  return length
}

function lineOf(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`
}
