// The file of rejected rows with their findings: `line,column,message,row`. Created with the first rejected row.
import { closeSync, createReadStream, existsSync, fstatSync, openSync, truncateSync, writeSync } from 'node:fs'
import { CsvError, parse } from 'csv-parse'
import type { FileRow } from './read-rows.ts'
import type { RowFinding } from './row-reader.ts'

export class RejectsFile {
  readonly #path: string
  readonly #isResumed: boolean
  #handle: number | undefined
  /** How many rows have been rejected. */
  count = 0

  private constructor(path: string, isResumed: boolean) {
    this.#path = path
    this.#isResumed = isResumed
  }

  /**
   * `doneUpTo` is the line after which an import resumes; 0 for a new import. Records of later lines are removed: an
   * interrupted import has written them, and those rows are read again.
   */
  static async open(path: string, doneUpTo: number): Promise<RejectsFile> {
    if (doneUpTo > 0 && existsSync(path)) truncateSync(path, await lengthUpTo(path, doneUpTo))
    return new RejectsFile(path, doneUpTo > 0)
  }

  /** Writes synchronously: the record must exist before the batch without the row is stored. */
  add(row: FileRow, findings: readonly RowFinding[]): void {
    this.count += 1
    this.#handle ??= this.#open()
    const lines = findings.map(({ column, message }) => csvLine([String(row.line), column, message, row.text]))
    writeSync(this.#handle, lines.join(''))
  }

  close(): void {
    if (this.#handle !== undefined) closeSync(this.#handle)
    this.#handle = undefined
  }

  #open(): number {
    const handle = openSync(this.#path, this.#isResumed ? 'a' : 'w')
    if (fstatSync(handle).size === 0) writeSync(handle, 'line,column,message,row\r\n')
    return handle
  }
}

/** Length in bytes of the records for lines up to `lastLine`; records are in line order. */
async function lengthUpTo(path: string, lastLine: number): Promise<number> {
  let length = 0
  // A killed process may leave half a record at the end, which the parser does not yield.
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

function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`
}
