// The integrity state of the database, in a small file beside it: any process can read it, and a killed process leaves
// it in the state of an unclean shutdown.
import { existsSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { saveDurably } from '../../../base/process/files.ts'
import { orUndefined } from '../../../base/thrown.ts'
import type { Integrity } from '../../../store/store.ts'
import { databaseFile, hasDatabase, INTEGRITY_NAME } from './data-folder.ts'

interface IntegrityRecord extends Integrity {
  /** The state of the database file at its last clean close; absent from the next start on. */
  readonly closed?: FileState
}

interface FileState {
  readonly sizeBytes: number
  readonly modifiedMs: number
}

const CONDITIONS: readonly unknown[] = ['sound', 'unchecked', 'damaged'] satisfies Integrity['condition'][]

/** Reads the integrity state of the database in a data folder. */
export function readIntegrity(folder: string): IntegrityRecord {
  const unknown = { condition: 'unchecked', isChecking: false } as const
  const record = orUndefined(() => JSON.parse(readFileSync(fileIn(folder), 'utf8')) as IntegrityRecord)
  return record && CONDITIONS.includes(record.condition) ? record : unknown
}

/**
 * Records that the database was opened. Must come before the first write of a service: from here on only `noteClosed`
 * makes the file trusted again.
 */
export function noteOpened(folder: string): Integrity {
  const { closed, isChecking: _, ...known } = readIntegrity(folder)
  const isTrusted = !hasDatabase(folder) || (known.condition === 'sound' && isSame(closed, stateOf(folder)))
  const condition = isTrusted ? 'sound' : known.condition === 'damaged' ? 'damaged' : 'unchecked'
  return write(folder, { ...known, condition, isChecking: false })
}

/** Whether the last service on the folder, if any, closed the database cleanly. */
export function wasClosed(folder: string): boolean {
  const found = stateOf(folder)
  return found === undefined || isSame(readIntegrity(folder).closed, found)
}

/** Records the state and the result of a check. */
export function noteIntegrity(folder: string, integrity: Integrity): void {
  write(folder, integrity)
}

/** Records a clean close. Must come after the database was closed. */
export function noteClosed(folder: string): void {
  const closed = stateOf(folder)
  write(folder, { ...readIntegrity(folder), isChecking: false, ...(closed ? { closed } : {}) })
}

/**
 * With an empty file the database counts as unchecked, so it is emptied when it cannot be written, such as on a full
 * disk. It is never written without a database, and never removed: it shows that there was one.
 */
function write(folder: string, record: IntegrityRecord): Integrity {
  if (!hasDatabase(folder)) return record
  try {
    saveDurably(fileIn(folder), JSON.stringify(record))
  } catch {
    if (existsSync(fileIn(folder))) truncateSync(fileIn(folder))
  }
  return record
}

function fileIn(folder: string): string {
  return join(folder, INTEGRITY_NAME)
}

function stateOf(folder: string): FileState | undefined {
  const found = statSync(databaseFile(folder), { throwIfNoEntry: false })
  return found && { sizeBytes: found.size, modifiedMs: found.mtimeMs }
}

function isSame(one: FileState | undefined, other: FileState | undefined): boolean {
  return one !== undefined && one.sizeBytes === other?.sizeBytes && one.modifiedMs === other.modifiedMs
}
