// The data folder: its files and lock, a ballast file for full disks, and the free space.
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { freeBytes } from '../../../base/process/files.ts'

/**
 * The size of the ballast file, which an administrator may delete when the disk is full: even DELETE needs space in
 * SQLite.
 */
const BALLAST_BYTES = 64 * 1024 * 1024
/** Below this, writes are rejected while there is still space for a clean shutdown. */
export const LOW_WATER_BYTES = 512 * 1024 * 1024

/**
 * Creates a folder and its parents. Node's `recursive` option never returns for folders in which nothing can be
 * created, such as /proc.
 */
export function makeFolder(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found?.isDirectory()) return
  if (!found) makeFolder(dirname(resolve(folder)))
  mkdirSync(folder, { mode: 0o700 })
}

export const DATABASE_NAME = 'tabularium.db'

export function databaseFile(folder: string): string {
  return join(folder, DATABASE_NAME)
}

/** The state of the database, in a file that is written only beside one. */
export const INTEGRITY_NAME = 'integrity.json'
/** Exists from the start of a restore to its end, when it becomes the database. */
export const UNFINISHED = 'restored.db.tmp'

/** What to do when the database cannot be read any more. */
export const RESTORE = 'restore the last backup into a new folder: tabularium restore BACKUP --data FOLDER'

/** Whether the file has anything: SQLite makes it empty, and writes the header before it begins a log. */
export function hasDatabase(folder: string): boolean {
  return (statSync(databaseFile(folder), { throwIfNoEntry: false })?.size ?? 0) > 0
}

/**
 * Throws when the folder has had a database that is missing or empty now: a start would make a new one, and SQLite
 * would delete the log of the old one. What shows that there was one is written only once the file has its header, so a
 * first start that was killed leaves none of it beside a file without one.
 */
export function requireNotLost(folder: string): void {
  const file = databaseFile(folder)
  const traces = [join(folder, INTEGRITY_NAME), `${file}-wal`]
  // Before the database: another process may be making both, in the other order.
  const trace = traces.find((one) => existsSync(one))
  const isUnfinished = existsSync(join(folder, UNFINISHED))
  if (hasDatabase(folder)) return
  if (isUnfinished) throw new Error(`the restore into ${folder} is not finished: run it again`)
  if (trace === undefined) return
  throw new Error(`${file} is ${existsSync(file) ? 'empty' : 'missing'}, though it held the database: ${RESTORE}`)
}

/** Throws when no setup was ever applied there, or the database is lost. */
export function requireDatabaseFile(folder: string): string {
  const file = databaseFile(folder)
  if (hasDatabase(folder)) return file
  requireNotLost(folder)
  if (!existsSync(folder)) throw new Error(`there is no data folder ${folder}`)
  throw new Error(`there is no database in ${folder}: no company was set up there yet`)
}

/** SQLite's result codes for no permission, a read-only file, and a file that cannot be opened. */
const NOT_WRITABLE = [3, 8, 14]
/** Those for what could not be written, and a full disk. */
const NOT_WRITTEN = [10, 13]
/** More than the shared memory of a log, which each start makes. */
const STARTING_BYTES = 1024 * 1024

/** Describes why the folder cannot be used; any error about the content of the folder is returned unchanged. */
export function explainFolderError(cause: unknown, folder: string): unknown {
  const { code = '', errcode = 0 } = cause as { code?: string; errcode?: number }
  if (code === 'ENOTDIR' || code === 'EEXIST') return new Error(`--data: ${folder} is no folder`, { cause })
  if (code === 'ENOENT') return new Error(`--data: the folder ${folder} cannot be made`, { cause })
  const isSqlite = (codes: readonly number[]) => code === 'ERR_SQLITE_ERROR' && codes.includes(errcode & 0xff)
  const isUnwritten = isSqlite(NOT_WRITTEN)
  if (code === 'ENOSPC' || (isUnwritten && freeBytes(folder) < STARTING_BYTES)) {
    return new Error(`the disk of ${folder} is full: make room, such as by deleting its file ballast`, { cause })
  }
  const isLocked = isSqlite(NOT_WRITABLE) || ['EACCES', 'EPERM', 'EROFS'].includes(code)
  if (!isLocked && !(isUnwritten && !mayWriteIn(folder))) return cause
  return new Error(`--data: this user (${userInfo().username}) may not write in ${folder}`, { cause })
}

function mayWriteIn(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Removes incomplete files of an earlier process. */
export function removeTemporaryFiles(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name.endsWith('.tmp')) rmSync(join(folder, name), { force: true })
  }
}

/** Writes the ballast file, unless it exists or the disk is already short of space. */
export function writeBallast(folder: string): void {
  const file = join(folder, 'ballast')
  if (existsSync(file) || freeBytes(folder) < LOW_WATER_BYTES + BALLAST_BYTES) return
  const handle = openSync(file, 'w', 0o600)
  const block = Buffer.alloc(1024 * 1024)
  for (let written = 0; written < BALLAST_BYTES; written += block.length) writeSync(handle, block)
  fsyncSync(handle)
  closeSync(handle)
}

const MB = 1_000_000

/** Why nothing is written on the disk of a folder. */
export function shortageOn(folder: string): string {
  const [free, needed] = [freeBytes(folder), LOW_WATER_BYTES].map((bytes) => Math.round(bytes / MB))
  return `the disk of ${folder} has ${free} MB free, and writing needs ${needed} MB`
}
