// Imports a file of this machine, with those of lists of its records. Valid rows are stored and the others written to a
// rejects file beside each.
import { createReadStream } from 'node:fs'
import type { DocumentDefinition } from '../model/document.ts'
import { importRows, type RowsTask } from './import-rows.ts'
import { JoinedFile, type ListFile } from './joined-file.ts'
import type { ImportCounts } from './progress.ts'
import { csvRejects, JSON_REJECTS, RejectsFile } from './rejects-file.ts'

export interface ImportReport extends ImportCounts {
  readonly rejected: number
  /** The line after which an interrupted import resumed; 0 when it started at the first. */
  readonly resumedAfter: number
  readonly lists: readonly ListReport[]
}

/** What was done with a file of a list. */
export interface ListReport {
  readonly name: string
  readonly rows: number
  readonly rejected: number
  readonly rejects: string
}

/** A file with its rejects file, which is created with the first rejected row. */
export interface RowsFile extends ListFile {
  readonly rejects: string
}

interface ImportTask extends Omit<RowsTask, 'bytes' | 'reject' | 'joined' | 'name' | 'rejectedBefore'> {
  readonly file: string
  readonly name: string
  readonly rejects: string
  readonly lists: readonly RowsFile[]
  readonly definition: DocumentDefinition
  readonly companyId: string
  /** Called with the number of bytes read. */
  progress(bytes: number): void
}

const READ_CHUNK_BYTES = 1024 * 1024

export function openFile(file: string) {
  return createReadStream(file, { highWaterMark: READ_CHUNK_BYTES })
}

export async function importFile({ file, rejects: path, progress, lists, ...task }: ImportTask): Promise<ImportReport> {
  const { table, text, doneUpTo, name, definition, companyId } = task
  const joined: JoinedFile[] = []
  const rejects = await RejectsFile.open(path, doneUpTo, table ? csvRejects(table, text) : JSON_REJECTS)
  const bytes = openFile(file)
  try {
    for (const list of lists) joined.push(await JoinedFile.read(list, definition, companyId))
    const imported = await importRows({
      ...task,
      bytes,
      joined,
      rejectedBefore: rejects.linesBefore,
      reject: (row, findings) => row.ofList === undefined && rejects.add(row, findings),
      onPart: (part) => {
        progress(bytes.bytesRead)
        return task.onPart(part)
      },
    })
    const reports: ListReport[] = []
    for (const [at, one] of joined.entries()) reports.push(await listReport(one, lists[at] as RowsFile, name))
    return { ...imported, rejected: rejects.count, resumedAfter: doneUpTo, lists: reports }
  } finally {
    rejects.close()
    bytes.destroy()
    for (const one of joined) one.close()
  }
}

async function listReport(joined: JoinedFile, file: RowsFile, ofRecords: string): Promise<ListReport> {
  const layout = file.table ? csvRejects(file.table, file.text) : JSON_REJECTS
  const rejects = await RejectsFile.open(file.rejects, 0, layout)
  try {
    for (const { row, findings } of joined.leftOver(ofRecords)) rejects.add(row, findings)
    return { name: file.name, rows: joined.count, rejected: rejects.count, rejects: file.rejects }
  } finally {
    rejects.close()
  }
}
