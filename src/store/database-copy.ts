// A copy of the whole database as files in a folder, taken while the service runs, and the way back into an empty
// place. What is copied is one moment: every write that was acknowledged before it, and no half of one.
import type { Readable } from 'node:stream'
import { checkTables, dumpTables } from './dialects/postgres/copy/dump-tables.ts'
import { openEmptyDatabase } from './dialects/postgres/copy/load-tables.ts'
import { checkFile, copyFile } from './dialects/sqlite/file/copy-file.ts'
import { openEmptyFolder } from './dialects/sqlite/file/place-file.ts'

export type DatabaseKind = 'sqlite' | 'postgres'

/** What a copy holds. */
export interface DatabaseCopy {
  readonly kind: DatabaseKind
  /** The migrations that made its schema. */
  readonly migrations: readonly string[]
  /** Names of the files, without a folder. */
  readonly files: readonly string[]
  /** How many rows each table has. */
  readonly tables: Readonly<Record<string, number>>
}

/** A content that revisions refer to. */
export interface ReferredContent {
  readonly companyId: string
  readonly hash: string
  /** In bytes. */
  readonly size: number
}

/** Told while there is work, in whatever unit. */
export type TellProgress = (done: number, total: number) => void

export interface CopyTask {
  readonly data: string
  readonly database: string | undefined
  /** An empty folder to copy into. */
  readonly folder: string
  readonly progress: TellProgress
  /** Called for every content that the copy refers to, each once, by company and hash. */
  onReferred(content: ReferredContent): Promise<void>
}

export interface CheckTask {
  readonly folder: string
  readonly copy: DatabaseCopy
  tell(fault: string): void
  /** As in `CopyTask`; PostgreSQL's tables are not asked. */
  onReferred?(content: ReferredContent): Promise<void>
}

export interface LoadTask {
  readonly copy: DatabaseCopy
  /** A file of the copy; fails at its end when the file is not what it was. */
  read(file: string): Readable
  readonly progress: TellProgress
  /** As in `CopyTask`, of what was loaded. */
  onReferred(content: ReferredContent): Promise<void>
}

/** An empty place for a database. Nothing is there to be seen before `accept`. */
export interface EmptyPlace {
  load(task: LoadTask): Promise<void>
  accept(): Promise<void>
  /** Undoes what was not accepted, as far as it must not stay. */
  close(): Promise<void>
}

export interface CopyTarget {
  readonly data: string
  readonly database: string | undefined
}

export function copyDatabase(task: CopyTask): Promise<DatabaseCopy> {
  return task.database === undefined ? copyFile(task) : dumpTables(task, task.database)
}

/** Looks whether a copy is sound in itself; its files are what they were when it was made. */
export function checkCopy(task: CheckTask): Promise<void> {
  return task.copy.kind === 'sqlite' ? checkFile(task) : checkTables(task)
}

/** Throws when something is there already, and changes nothing then. With `isTrial` it only looks. */
export function openEmptyPlace(place: CopyTarget, migrations: readonly string[], validateOnly: boolean) {
  if (place.database === undefined) return openEmptyFolder(place.data, validateOnly)
  return openEmptyDatabase(place.database, migrations, validateOnly)
}
