// Copies the complete database to files in a folder while the service runs, and restores such a copy into an empty
// location. A copy is one snapshot: it has every write that was acknowledged before it started, and no partial write.
import type { Readable } from 'node:stream'
import { checkTables, dumpTables } from './dialects/postgres/copy/dump-tables.ts'
import { openEmptyDatabase } from './dialects/postgres/copy/load-tables.ts'
import { checkFile, copyFile } from './dialects/sqlite/file/copy-file.ts'
import { openEmptyFolder } from './dialects/sqlite/file/place-file.ts'

export type DatabaseKind = 'sqlite' | 'postgres'

/** The content of a copy. */
export interface DatabaseCopy {
  readonly kind: DatabaseKind
  /** The migrations that created its schema. */
  readonly migrations: readonly string[]
  /** File names without a folder. */
  readonly files: readonly string[]
  /** The number of rows of each table. */
  readonly tables: Readonly<Record<string, number>>
}

/** A file content that document revisions refer to. */
export interface ReferencedContent {
  readonly companyId: string
  readonly hash: string
  /** The size in bytes. */
  readonly size: number
}

/** Called as work proceeds, in any unit. */
export type ReportProgress = (done: number, total: number) => void

export interface CopyTask {
  readonly data: string
  readonly database: string | undefined
  /** An empty folder to copy into. */
  readonly folder: string
  readonly progress: ReportProgress
  /** Called once for every content (company and hash) that the copy refers to. */
  onReferenced(content: ReferencedContent): Promise<void>
}

export interface CheckTask {
  readonly folder: string
  readonly copy: DatabaseCopy
  report(fault: string): void
  /** As in `CopyTask`; never called for PostgreSQL. */
  onReferenced?(content: ReferencedContent): Promise<void>
}

export interface LoadTask {
  readonly copy: DatabaseCopy
  /** Opens a file of the copy. The stream fails at its end when the file was changed since. */
  read(file: string): Readable
  readonly progress: ReportProgress
  /** As in `CopyTask`, for the loaded data. */
  onReferenced(content: ReferencedContent): Promise<void>
}

/** An empty location to restore a database into. Nothing is visible there before `accept`. */
export interface RestoreTarget {
  load(task: LoadTask): Promise<void>
  accept(): Promise<void>
  /** Removes what was not accepted, where it must not stay. */
  close(): Promise<void>
}

export interface CopyTarget {
  readonly data: string
  readonly database: string | undefined
}

export function copyDatabase(task: CopyTask): Promise<DatabaseCopy> {
  return task.database === undefined ? copyFile(task) : dumpTables(task, task.database)
}

/** Checks that a copy is consistent. The caller has already checked that its files are unchanged. */
export function checkCopy(task: CheckTask): Promise<void> {
  return task.copy.kind === 'sqlite' ? checkFile(task) : checkTables(task)
}

/** Throws, without changing anything, when the location is not empty. With `validateOnly` nothing else is done. */
export function openRestoreTarget(target: CopyTarget, migrations: readonly string[], validateOnly: boolean) {
  if (target.database === undefined) return openEmptyFolder(target.data, validateOnly)
  return openEmptyDatabase(target.database, migrations, validateOnly)
}
