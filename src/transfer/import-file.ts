// Imports a file of this machine. Valid rows are stored and the others written to a rejects file.
import { createReadStream } from 'node:fs'
import { importRows, type RowsTask } from './import-rows.ts'
import type { ImportCounts } from './progress.ts'
import { csvRejects, JSON_REJECTS, RejectsFile } from './rejects-file.ts'

export interface ImportReport extends ImportCounts {
  readonly rejected: number
  /** The line after which an interrupted import resumed; 0 when it started at the first. */
  readonly resumedAfter: number
}

export interface ImportTask extends Omit<RowsTask, 'bytes' | 'reject'> {
  readonly file: string
  /** Path of the rejects file; created with the first rejected row. */
  readonly rejects: string
  /** Called with the number of bytes read. */
  progress(bytes: number): void
}

const READ_CHUNK_BYTES = 1024 * 1024

export function openFile(file: string) {
  return createReadStream(file, { highWaterMark: READ_CHUNK_BYTES })
}

export async function importFile({ file, rejects: path, progress, ...task }: ImportTask): Promise<ImportReport> {
  const { table, text, doneUpTo } = task
  const rejects = await RejectsFile.open(path, doneUpTo, table ? csvRejects(table, text) : JSON_REJECTS)
  const bytes = openFile(file)
  try {
    const imported = await importRows({
      ...task,
      bytes,
      reject: (row, findings) => rejects.add(row, findings),
      onPart: (part) => {
        progress(bytes.bytesRead)
        return task.onPart(part)
      },
    })
    return { ...imported, rejected: rejects.count, resumedAfter: doneUpTo }
  } finally {
    rejects.close()
  }
}
