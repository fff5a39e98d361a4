// The file of rejected rows with their findings, created with the first one. Of a CSV file it is a table of the same
// form, with two columns in front: it can be mended where it was made, and imported as it stands.
import { closeSync, createReadStream, existsSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { withoutFormula } from '../base/numbers/spreadsheet-style.ts'
import { openOutput } from '../base/process/named-output.ts'
import { asUtf8, encodeAs } from './rows/as-utf8.ts'
import { NOTES } from './rows/csv-columns.ts'
import { type CsvShape, csvRecords } from './rows/csv-records.ts'
import type { CsvTable } from './rows/csv-table.ts'
import type { FileRow, RowFinding } from './rows/read-rows.ts'
import { PLAIN_TEXT, type TextForm } from './rows/text-form.ts'

const LINE_END = '\r\n'

interface RejectsLayout {
  readonly text: TextForm
  readonly shape: CsvShape
  /** What stands before the rows. */
  readonly head: string
  /** The records for a row, each ended. */
  rowOf(row: FileRow, findings: readonly RowFinding[]): string
}

/** A record for each finding: `line,column,message,row`. */
export const JSON_REJECTS: RejectsLayout = {
  text: PLAIN_TEXT,
  shape: { separator: ',', width: 4 },
  head: `line,column,message,row${LINE_END}`,
  rowOf: ({ line, text }, findings) =>
    findings
      .map(({ column, message }) => [String(line), column, message, text].map(quoted).join(',') + LINE_END)
      .join(''),
}

/** A record for each row: its line, all findings, and the row as it was. */
export function csvRejects({ separator, head, width, columns }: CsvTable, text: TextForm): RejectsLayout {
  // A rejects file that is imported has the columns already.
  const notes = columns.findIndex(({ heading }) => !NOTES.includes(heading))
  const withoutNotes = (row: string) => cellsAfter(row, Math.max(0, notes), separator)
  const names = [...NOTES, withoutNotes(head.at(-1) ?? '')].join(separator)
  return {
    text: { ...text, endsWithReturn: false },
    shape: { separator, width: NOTES.length + width - Math.max(0, notes) },
    head: [...head.slice(0, -1), names].map((line) => line + LINE_END).join(''),
    rowOf: ({ line, text: row }, findings) => {
      const message = findings.map(({ column, message }) => (column ? `${column}: ${message}` : message)).join('; ')
      return [line, quoted(message), withoutNotes(row)].join(separator) + LINE_END
    },
  }
}

function cellsAfter(row: string, count: number, separator: string): string {
  const cell = new RegExp(`^(?:"(?:[^"]|"")*"|[^"\\${separator}]*)\\${separator}`)
  let rest = row
  for (let at = 0; at < count; at++) rest = rest.replace(cell, '')
  return rest
}

export class RejectsFile {
  readonly #path: string
  readonly #layout: RejectsLayout
  readonly #isResumed: boolean
  #handle: number | undefined
  /** The lines of an interrupted import that are in the file. */
  readonly linesBefore: ReadonlySet<number>
  /** How many rows have been rejected. */
  count = 0

  private constructor(path: string, layout: RejectsLayout, linesBefore: ReadonlySet<number> | undefined) {
    this.#path = path
    this.#layout = layout
    this.#isResumed = linesBefore !== undefined
    this.linesBefore = linesBefore ?? new Set()
  }

  /**
   * `doneUpTo` is the line after which an import resumes; 0 for a new import. Records of later lines are removed: an
   * interrupted import has written them, and those rows are read again.
   */
  static async open(path: string, doneUpTo: number, layout: RejectsLayout = JSON_REJECTS): Promise<RejectsFile> {
    const isResumed = doneUpTo > 0 && existsSync(path)
    return new RejectsFile(path, layout, isResumed ? await keepUpTo(path, doneUpTo, layout) : undefined)
  }

  /** Writes synchronously: the record must exist before the batch without the row is stored. */
  add(row: FileRow, findings: readonly RowFinding[]): void {
    this.count += 1
    this.#handle ??= this.#open()
    writeSync(this.#handle, encodeAs(this.#layout.text, this.#layout.rowOf(row, findings)))
  }

  close(): void {
    if (this.#handle !== undefined) closeSync(this.#handle)
    this.#handle = undefined
  }

  #open(): number {
    const handle = openSync(this.#path, this.#isResumed ? 'a' : 'w')
    if (fstatSync(handle).size === 0) writeHead(handle, this.#layout)
    return handle
  }
}

function writeHead(handle: number, { text, head }: RejectsLayout): void {
  writeSync(handle, encodeAs(text, (text.hasMark ? '\ufeff' : '') + head))
}

/** Keeps the records for lines up to `lastLine`, and returns these; records are in line order. */
async function keepUpTo(path: string, lastLine: number, layout: RejectsLayout): Promise<Set<number>> {
  const output = openOutput(path)
  const kept = new Set<number>()
  try {
    writeHead(output.handle, layout)
    for await (const record of completeRecords(path, layout)) {
      const [, line] = /^"?(\d+)/.exec(record) ?? []
      if (Number(line) > lastLine) break
      if (line === undefined) continue
      kept.add(Number(line))
      writeSync(output.handle, encodeAs(layout.text, record + LINE_END))
    }
  } catch (error) {
    output.discard()
    throw error
  }
  output.keep()
  return kept
}

/** A killed process may leave half a record at the end. */
async function* completeRecords(path: string, { text, shape }: RejectsLayout): AsyncGenerator<string> {
  let last: string | undefined
  for await (const records of csvRecords(asUtf8(createReadStream(path), text), shape)) {
    for (const record of records) {
      if (last !== undefined) yield last
      last = record.text
    }
  }
  if (last !== undefined && endsWith(path, encodeAs(text, LINE_END))) yield last
}

function endsWith(path: string, end: Buffer): boolean {
  const handle = openSync(path, 'r')
  try {
    const found = Buffer.alloc(end.length)
    readSync(handle, found, 0, end.length, Math.max(0, fstatSync(handle).size - end.length))
    return found.equals(end)
  } finally {
    closeSync(handle)
  }
}

/** People open the file in a spreadsheet, which must not evaluate what a stranger has written. */
function quoted(cell: string): string {
  return `"${withoutFormula(cell).replaceAll('"', '""')}"`
}
