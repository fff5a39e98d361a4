// One service on a data folder. Its first process reserves a lock file and the other processes that write share it, so
// nobody else can have it before the last of them is gone, however they end. A lock file that is not the one that the
// last service held proves nothing: then nobody at all may have the database open.
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { FatalStoreFault } from '../../../store-fault.ts'
import { BUSY, databaseFile, type InstanceLock, makeFolder } from './data-folder.ts'
import { wasClosed } from './integrity-record.ts'
import { requireWholeLog } from './log-damage.ts'

/** Processes of a service whose first one was killed notice it long before. */
const ORPHANS_END_MS = 5_000

/** Takes the folder for this process and those that it starts; the operating system lets go of it however they end. */
export function lockDataFolder(folder: string): InstanceLock {
  makeFolder(folder)
  const holder = join(folder, 'instance.pid')
  const lock = openLock(folder)
  try {
    reserve(lock)
    const inode = String(statSync(lockFile(folder)).ino)
    if (holderIn(holder)[1] !== inode && !wasClosed(folder)) requireUnopened(databaseFile(folder))
    noteHolder(holder, inode)
  } catch (cause) {
    lock.close()
    if ((cause as { errcode?: number }).errcode !== BUSY) throw cause
    const [processId] = holderIn(holder)
    const process = processId === undefined ? '' : ` (process ${processId})`
    const message = `the data folder ${folder} is in use by another Tabularium${process}: stop it first; on PostgreSQL this works beside it`
    throw new Error(message, { cause })
  }
  return {
    release: () => {
      rmSync(holder, { force: true })
      lock.close()
    },
  }
}

/**
 * In a process that was started by the one that holds the folder: nobody else gets it before this process has ended.
 */
export function shareDataFolder(folder: string, holder: number): void {
  const lock = openLock(folder)
  lock.exec('begin')
  lock.prepare('select count(*) from sqlite_schema').get()
  // It must not be collected as garbage.
  shared.push(lock)
  // Looked at when the lock is shared: from now on a service that begins has to wait for this process.
  requireHolder(holder)
}

const shared: DatabaseSync[] = []

/** The system gives a process another parent at the moment when its own is gone. */
export function requireHolder(holder: number): void {
  if (process.ppid !== holder) throw new FatalStoreFault('the process that holds the data folder is gone')
}

function lockFile(folder: string): string {
  return join(folder, 'instance.lock')
}

function openLock(folder: string): DatabaseSync {
  const lock = new DatabaseSync(lockFile(folder), { timeout: 0 })
  // Nothing is ever written.
  lock.exec('pragma journal_mode = memory')
  return lock
}

/** Fails at once when another service lives, and waits for processes that one has left. */
function reserve(lock: DatabaseSync): void {
  lock.exec('begin immediate; rollback')
  lock.exec(`pragma busy_timeout = ${ORPHANS_END_MS}`)
  lock.exec('begin exclusive; rollback')
  lock.exec('pragma busy_timeout = 0')
  lock.exec('begin immediate')
}

/** Whoever has a file open in WAL mode shares a lock on the file itself, by whatever name it was opened. */
function requireUnopened(file: string): void {
  if (!existsSync(file)) return
  // It is copied into the file when the connection is closed.
  requireWholeLog(file)
  const connection = new DatabaseSync(file, { timeout: ORPHANS_END_MS })
  try {
    connection.exec('pragma locking_mode = exclusive')
    connection.exec('begin exclusive; rollback')
  } finally {
    connection.close()
  }
}

/** The process that holds the folder, or held it last, and the inode of its lock file. */
function holderIn(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split(' ') : []
}

function noteHolder(file: string, inode: string): void {
  try {
    writeFileSync(file, `${process.pid} ${inode}`)
  } catch {
    // On a full disk the service still reads, and the next one looks whether the database is open.
    rmSync(file, { force: true })
  }
}
