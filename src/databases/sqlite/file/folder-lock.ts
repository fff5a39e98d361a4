// Ensures a single service per data folder. Its first process reserves a lock file and its other writing processes
// share it, so that no other service can get it before the last of them has ended, however they end. A lock file that
// is not the one that the last service held proves nothing: then nobody at all may have the database open.
import { existsSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { keepPrivate } from '../../../base/process/files.ts'
import { FatalStoreFault } from '../../../store/store-fault.ts'
import { BUSY, type InstanceLock } from '../../file-lock.ts'
import { databaseFile, makeFolder } from './data-folder.ts'
import { wasClosed } from './integrity-record.ts'
import { requireSoundLog } from './log-damage.ts'

/** When the first process of a service was killed, its other processes notice and end well within this time. */
const ORPHANS_END_MS = 5_000

/** Another process holds the folder. */
export class FolderInUse extends Error {}

/** Takes the folder for this process and its child processes. The operating system releases it however they end. */
export function lockDataFolder(folder: string): InstanceLock {
  makeFolder(folder)
  const holder = join(folder, 'instance.pid')
  const lock = openLock(folder)
  try {
    reserve(lock)
    const inode = String(statSync(lockFile(folder)).ino)
    if (readHolder(holder)[1] !== inode && !wasClosed(folder)) requireUnopened(databaseFile(folder))
    recordHolder(holder, inode)
  } catch (cause) {
    lock.close()
    if ((cause as { errcode?: number }).errcode !== BUSY) throw cause
    const [processId] = readHolder(holder)
    const process = processId === undefined ? '' : ` (process ${processId})`
    const message = `the data folder ${folder} is in use by another Tabularium${process}: stop it first; on PostgreSQL this works beside it`
    throw new FolderInUse(message, { cause })
  }
  // The file of the holder stays: a command may still have the database open, and the next service knows the lock file.
  return { release: () => lock.close() }
}

/**
 * Shares the folder's lock in a child of the process that holds it: no other service gets the folder before this
 * process has ended.
 */
export function shareDataFolder(folder: string, holder: number): void {
  const lock = openLock(folder)
  lock.exec('begin')
  lock.prepare('select count(*) from sqlite_schema').get()
  // Referenced so that it is not garbage-collected.
  shared.push(lock)
  // Checked after the lock is shared: from now on a starting service has to wait for this process.
  requireHolder(holder)
}

const shared: DatabaseSync[] = []

/** The operating system changes the parent of a process as soon as its parent has ended. */
export function requireHolder(holder: number): void {
  if (process.ppid !== holder) throw new FatalStoreFault('the process that holds the data folder is gone')
}

function lockFile(folder: string): string {
  return join(folder, 'instance.lock')
}

function openLock(folder: string): DatabaseSync {
  keepPrivate(lockFile(folder))
  const lock = new DatabaseSync(lockFile(folder), { timeout: 0 })
  // The file is never written to.
  lock.exec('pragma journal_mode = memory')
  return lock
}

/** Fails immediately when another service is alive; waits for remaining processes of an earlier one. */
function reserve(lock: DatabaseSync): void {
  lock.exec('begin immediate; rollback')
  lock.exec(`pragma busy_timeout = ${ORPHANS_END_MS}`)
  lock.exec('begin exclusive; rollback')
  lock.exec('pragma busy_timeout = 0')
  lock.exec('begin immediate')
}

/** Every process that has a file open in WAL mode holds a shared lock on the file, whatever name it was opened by. */
function requireUnopened(file: string): void {
  if (!existsSync(file)) return
  // The log is copied into the file when the connection is closed.
  requireSoundLog(file)
  using connection = new DatabaseSync(file, { timeout: ORPHANS_END_MS })
  connection.exec('pragma locking_mode = exclusive')
  connection.exec('begin exclusive; rollback')
}

/** The id of the process that holds the folder, or held it last, and the inode of its lock file. */
function readHolder(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split(' ') : []
}

function recordHolder(file: string, inode: string): void {
  try {
    writeFileSync(file, `${process.pid} ${inode}`, { mode: 0o600 })
  } catch {
    // On a full disk the service can still read; the next one then checks whether the database is open.
    if (existsSync(file)) unlinkSync(file)
  }
}
