// Imports a file in batches. Valid rows are stored and the others written to a rejects file. An interrupted import
// resumes after the last stored batch.
import { createReadStream } from 'node:fs'
import type { ImportCounts, Importer, RejectRow } from './importer.ts'
import { csvRejects, JSON_REJECTS, RejectsFile } from './rejects-file.ts'
import { asUtf8 } from './rows/as-utf8.ts'
import { headingsByFinding } from './rows/csv-columns.ts'
import { parseOne } from './rows/csv-records.ts'
import type { CsvTable } from './rows/csv-table.ts'
import { type FileRow, type ReadableRow, readRows } from './rows/read-rows.ts'
import type { TextForm } from './rows/text-form.ts'

export interface ImportReport extends ImportCounts {
  readonly rejected: number
  /** The line after which an interrupted import resumed; 0 when it started at the first. */
  readonly resumedAfter: number
}

export interface ImportTask {
  readonly file: string
  readonly text: TextForm
  /** How a CSV file is read; undefined for NDJSON. */
  readonly table: CsvTable | undefined
  readonly importer: Importer
  /** The last line that an earlier run has completed. */
  readonly doneUpTo: number
  /** Path of the rejects file; created with the first rejected row. */
  readonly rejects: string
  /** Called with the number of bytes read. */
  progress(bytes: number): void
}

/** A batch ends at this size too, so that batches of long rows are smaller. */
const MAX_BATCH_CHARACTERS = 8 * 1024 * 1024
export const READ_CHUNK_BYTES = 1024 * 1024

export async function importFile(task: ImportTask): Promise<ImportReport> {
  const { table, text } = task
  const rejects = await RejectsFile.open(task.rejects, task.doneUpTo, table ? csvRejects(table, text) : JSON_REJECTS)
  try {
    const imported = await importRows(task, (row, findings) => rejects.add(row, withHeadings(table, row, findings)))
    return { ...imported, rejected: rejects.count, resumedAfter: task.doneUpTo }
  } finally {
    rejects.close()
  }
}

async function importRows({ file, text, table, importer, doneUpTo, progress }: ImportTask, reject: RejectRow) {
  const bytes = createReadStream(file, { highWaterMark: READ_CHUNK_BYTES })
  const imported = { written: 0, unchanged: 0 }
  let isResumed = doneUpTo > 0
  let [batch, characters]: [FileRow[], number] = [[], 0]
  const flush = async () => {
    const lastLine = batch.at(-1)?.line
    if (lastLine === undefined) return
    for (const row of batch) if (row.problems) reject(row, row.problems)
    const rows = batch.filter(isReadable)
    const result = await importer.importBatch({ rows, lastLine, isResumed }, reject)
    imported.written += result.written
    imported.unchanged += result.unchanged
    batch = []
    characters = 0
    isResumed = false
    progress(bytes.bytesRead)
  }
  for await (const rows of readRows(asUtf8(bytes, text), table)) {
    for (const row of rows) {
      if (row.line <= doneUpTo) continue
      batch.push(row)
      characters += row.text.length
      if (batch.length >= importer.batchSize || characters >= MAX_BATCH_CHARACTERS) await flush()
    }
  }
  await flush()
  return imported
}

function isReadable(row: FileRow): row is ReadableRow {
  return row.record !== undefined
}

/** Findings of a row of a CSV file name the headings of the file. */
function withHeadings(table: CsvTable | undefined, row: FileRow, findings: Parameters<RejectRow>[1]) {
  if (!table || row.problems) return findings
  const headings = headingsByFinding(table.columns, parseOne(row, table.separator).cells ?? [])
  return findings.map(({ column, message }) => ({ column: headings.get(column) ?? column, message }))
}
