// Brings a file in, batch by batch: good rows are kept, the others written to a file of their own, and an import that
// was interrupted goes on behind the last batch that was kept.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Importer, ReadableRow, Taken } from './importer.ts'
import { type Row, type RowFormat, readRows } from './read-rows.ts'
import { RejectsFile } from './rejects-file.ts'

export interface ImportReport extends Taken {
  readonly rejected: number
  /** The line behind which an interrupted import went on; 0 when it began at the first. */
  readonly resumedAfter: number
}

export interface ImportTask {
  readonly file: string
  readonly format: RowFormat
  readonly importer: Importer
  /** The last line that an earlier run is done with. */
  readonly doneUpTo: number
  /** Where rejected rows are written, when there are some. */
  readonly rejects: string
  /** Told how many bytes of the file have been read. */
  progress(bytes: number): void
}

/** Long rows make smaller batches. */
const CHARACTERS_AT_ONCE = 8 * 1024 * 1024
const READ_AT_ONCE = 1024 * 1024

export async function importFile(task: ImportTask): Promise<ImportReport> {
  const rejects = await RejectsFile.open(task.rejects, task.doneUpTo)
  try {
    const taken = await takeRows(task, rejects)
    return { ...taken, rejected: rejects.count, resumedAfter: task.doneUpTo }
  } finally {
    rejects.close()
  }
}

async function takeRows({ file, format, importer, doneUpTo, progress }: ImportTask, rejects: RejectsFile) {
  const bytes = createReadStream(file, { highWaterMark: READ_AT_ONCE })
  const taken = { written: 0, unchanged: 0 }
  let isResumed = doneUpTo > 0
  let [batch, characters]: [Row[], number] = [[], 0]
  const flush = async () => {
    const lastLine = batch.at(-1)?.line
    if (lastLine === undefined) return
    for (const { problem, ...row } of batch) if (problem) rejects.add(row, [problem])
    const rows = batch.filter(isReadable)
    const found = await importer.take({ rows, lastLine, isResumed }, (row, findings) => rejects.add(row, findings))
    taken.written += found.written
    taken.unchanged += found.unchanged
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
      if (batch.length >= importer.batchSize || characters >= CHARACTERS_AT_ONCE) await flush()
    }
  }
  await flush()
  return taken
}

function isReadable(row: Row): row is ReadableRow {
  return row.record !== undefined
}

/** Tells one file from another, by every byte: a file with one line corrected is another one. */
export async function hashOfFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file, { highWaterMark: READ_AT_ONCE }), hash)
  return hash.digest('hex')
}
