// A lock on a file, which the operating system releases however its process ends. SQLite has one on every platform.
import { DatabaseSync } from 'node:sqlite'
import { keepPrivate } from '../base/process/files.ts'

export interface InstanceLock {
  release(): void
}

/** SQLite's result code for a lock that another connection holds. */
export const BUSY = 5

/** Takes a lock for this process; throws an error with the message `inUse` when another process has it. */
export function takeLock(file: string, inUse: () => string): InstanceLock {
  // Whoever could write to it could hold the lock.
  keepPrivate(file)
  const lock = new DatabaseSync(file, { timeout: 0 })
  try {
    lock.exec('pragma locking_mode = EXCLUSIVE')
    lock.exec('begin exclusive')
  } catch (cause) {
    lock.close()
    if ((cause as { errcode?: number }).errcode !== BUSY) throw cause
    throw new Error(inUse(), { cause })
  }
  return { release: () => lock.close() }
}
