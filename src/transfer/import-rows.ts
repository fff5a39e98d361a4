// Imports the rows of a file in parts. An interrupted import goes on after the last stored part.

import type { ValueName } from '../records/shared/master-data/value-store.ts'
import type { Importer } from './importer.ts'
import type { JoinedFile } from './joined-file.ts'
import type { CompletedPart, ImportCounts } from './progress.ts'
import { RejectedRows, type RejectRow } from './rejected-rows.ts'
import { asUtf8 } from './rows/as-utf8.ts'
import { headingsByFinding } from './rows/csv-columns.ts'
import { cellsOf } from './rows/csv-records.ts'
import type { CsvTable } from './rows/csv-table.ts'
import { type FileRow, type PartlyReadRow, type ReadableRow, type RowFinding, readRows } from './rows/read-rows.ts'
import type { TextForm } from './rows/text-form.ts'

export interface RowsTask {
  readonly bytes: AsyncIterable<Buffer>
  readonly text: TextForm
  /** How a CSV file is read; undefined for NDJSON. */
  readonly table: CsvTable | undefined
  readonly importer: Importer
  /** The last line that an earlier run has completed. */
  readonly doneUpTo: number
  /** The files with items of lists of the records. */
  readonly joined?: readonly JoinedFile[]
  /** As messages call the file. */
  readonly name?: string
  /** The lines of the rows that an earlier run has rejected. */
  readonly rejectedBefore?: ReadonlySet<number>
  /** Called when the part of a row is stored. Findings of a row of a CSV file name the headings of the file. */
  readonly reject?: RejectRow
  /** Called when a part is stored. */
  onPart(part: CompletedPart): void | Promise<void>
}

/** A part ends at this size too, so that parts of long rows are smaller. */
const MAX_PART_CHARACTERS = 8 * 1024 * 1024
/** Items without a record that are told at once. */
const UNUSED_AT_ONCE = 1_000

export async function importRows(task: RowsTask): Promise<ImportCounts> {
  const {
    bytes,
    text,
    table,
    importer,
    doneUpTo,
    joined = [],
    name = 'the records',
    rejectedBefore,
    reject,
    onPart,
  } = task
  const imported = { written: 0, unchanged: 0 }
  const codes = new Map<string, ValueName>()
  let [part, characters, lastRead]: [FileRow[], number, number] = [[], 0, 0]
  // Without the items of other files, a record would lack more than it does.
  const tellsRest = (row: FileRow): row is PartlyReadRow => row.rest !== undefined && joined.length === 0
  const store = async (rows: readonly FileRow[], lastLine: number, rejected: RejectedRows) => {
    for (const row of rows) if (row.problems && !tellsRest(row)) rejected.add(row, row.problems)
    const [readable, partlyRead] = [rows.filter(isReadable), rows.filter(tellsRest)]
    const counts = await importer.importBatch({ rows: readable, partlyRead, lastLine, rejected })
    for (const [row, findings] of rejected.all) {
      for (const file of joined) file.reject(row, findings, name)
      reject?.(row, findings)
    }
    imported.written += counts.written
    imported.unchanged += counts.unchanged
    // A dry run adds the same code for each part.
    for (const code of counts.codes ?? []) codes.set(JSON.stringify(code), code)
    await onPart({ lastLine, rejected, ...counts })
  }
  let storing = Promise.resolve()
  const flush = async () => {
    const rows = part
    const lastLine = rows.at(-1)?.line
    if (lastLine === undefined) return
    part = []
    characters = 0
    await storing
    const rejected = new RejectedRows((row, findings) => named(task, row, findings))
    storing = store(rows, lastLine, rejected)
    // The next part is read meanwhile, which learns of a failure when it is to be stored.
    storing.catch(() => {})
    if (joined.length > 0) await storing
  }
  try {
    for await (const rows of readRows(asUtf8(bytes, text), table)) {
      for (const read of rows) {
        lastRead = read.line
        const row = joined.reduce((whole, file) => file.withItems(whole), read)
        if (row.line <= doneUpTo) {
          if (rejectedBefore?.has(row.line)) for (const file of joined) file.reject(row, [], name)
          continue
        }
        part.push(row)
        characters += lengthOf(row)
        if (part.length >= importer.batchSize || characters >= MAX_PART_CHARACTERS) await flush()
      }
    }
    await flush()
  } finally {
    await storing
  }
  for (const [rows, lastLine] of unusedItems(joined, name, lastRead, doneUpTo)) await store([], lastLine, rows)
  return { ...imported, codes: [...codes.values()] }
}

/** Items that belong to no record, as rows behind the last one of the records. */
function* unusedItems(joined: readonly JoinedFile[], name: string, lastRead: number, doneUpTo: number) {
  let before = lastRead
  for (const file of joined) {
    let [rejected, last] = [new RejectedRows((_row, findings) => findings), before]
    for (const { row, findings } of file.unused(name)) {
      last = before + row.line
      if (last <= doneUpTo) continue
      const where = findings.map((finding) => ({
        ...finding,
        message: `line ${row.line} of ${file.name}: ${finding.message}`,
      }))
      rejected.add({ line: last, text: row.text, ofList: file.list }, where)
      if (rejected.all.length < UNUSED_AT_ONCE) continue
      yield [rejected, last] as const
      rejected = new RejectedRows((_row, findings) => findings)
    }
    if (rejected.all.length > 0) yield [rejected, last] as const
    before = last
  }
}

function lengthOf({ text, items = {} }: FileRow): number {
  return Object.values(items).reduce(
    (sum, rows) => rows.reduce((more, row) => more + row.text.length, sum),
    text.length,
  )
}

function isReadable(row: FileRow): row is ReadableRow {
  return row.record !== undefined && row.problems === undefined
}

/**
 * The findings as the files name what they are about. Of a cell that cannot be read, nothing else is told: that it is
 * missing would be wrong.
 */
function named({ table, joined = [] }: RowsTask, row: FileRow, findings: readonly RowFinding[]) {
  const { problems = [] } = row
  const unread = new Set(problems.map(({ column }) => column))
  const headings = table && headingsByFinding(table.columns, cellsOf(row.text, table.separator).cells ?? [])
  const others = findings.slice(problems.length).map((finding) => {
    const inItem = joined.reduce((one, file) => file.named(row, one), finding)
    return inItem !== finding ? inItem : { ...finding, column: headings?.get(finding.column) ?? finding.column }
  })
  return [...problems, ...others.filter(({ column }) => !unread.has(column))]
}
