// Imports a file in batches. Valid rows are stored and the others written to a rejects file. An interrupted import
// resumes after the last stored batch.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { ImportCounts, Importer } from './importer.ts'
import type { ReadableRow } from './read-rows.ts'
import { type FileRow, type RowFormat, readRows } from './read-rows.ts'
import { RejectsFile } from './rejects-file.ts'

export interface ImportReport extends ImportCounts {
  readonly rejected: number
  /** The line after which an interrupted import resumed; 0 when it started at the first. */
  readonly resumedAfter: number
}

export interface ImportTask {
  readonly file: string
  readonly format: RowFormat
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
const READ_CHUNK_BYTES = 1024 * 1024

export async function importFile(task: ImportTask): Promise<ImportReport> {
  const rejects = await RejectsFile.open(task.rejects, task.doneUpTo)
  try {
    const imported = await importRows(task, rejects)
    return { ...imported, rejected: rejects.count, resumedAfter: task.doneUpTo }
  } finally {
    rejects.close()
  }
}

async function importRows({ file, format, importer, doneUpTo, progress }: ImportTask, rejects: RejectsFile) {
  const bytes = createReadStream(file, { highWaterMark: READ_CHUNK_BYTES })
  const imported = { written: 0, unchanged: 0 }
  let isResumed = doneUpTo > 0
  let [batch, characters]: [FileRow[], number] = [[], 0]
  const flush = async () => {
    const lastLine = batch.at(-1)?.line
    if (lastLine === undefined) return
    for (const { problem, ...row } of batch) if (problem) rejects.add(row, [problem])
    const rows = batch.filter(isReadable)
    const result = await importer.importBatch({ rows, lastLine, isResumed }, (row, findings) =>
      rejects.add(row, findings),
    )
    imported.written += result.written
    imported.unchanged += result.unchanged
    batch = []
    characters = 0
    isResumed = false
    progress(bytes.bytesRead)
  }
  for await (const rows of readRows(bytes, format, (names) => importer.columnsOf(names))) {
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

/** Identifies a file by its complete content: a file with one corrected line is a different one. */
export async function hashOfFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file, { highWaterMark: READ_CHUNK_BYTES }), hash)
  return hash.digest('hex')
}
