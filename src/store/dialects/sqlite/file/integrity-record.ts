// What is known of the database file as a whole, in a small file beside it: any process can read it, and a process that
// is killed leaves it as a service that has not ended in good order.
import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { saveDurably } from '../../../../base/process/save-durably.ts'
import type { Integrity } from '../../../service-state/integrity.ts'

interface IntegrityRecord extends Integrity {
  /** The database file as it was when it was closed in good order; absent from the next start on. */
  readonly closed?: FileState
}

interface FileState {
  readonly sizeBytes: number
  readonly modifiedMs: number
}

const CONDITIONS: readonly unknown[] = ['sound', 'unchecked', 'damaged'] satisfies Integrity['condition'][]

/** What is known of the database in a data folder. */
export function readIntegrity(folder: string): IntegrityRecord {
  const unknown = { condition: 'unchecked', isChecking: false } as const
  try {
    const record = JSON.parse(readFileSync(fileIn(folder), 'utf8')) as IntegrityRecord
    return CONDITIONS.includes(record.condition) ? record : unknown
  } catch {
    return unknown
  }
}

/** Must come before the first write of a service: from here on only `noteClosed` makes the file a trusted one again. */
export function noteOpened(folder: string): Integrity {
  const { closed, isChecking: _, ...known } = readIntegrity(folder)
  const found = stateOf(folder)
  const isTrusted = found === undefined || (known.condition === 'sound' && isSame(closed, found))
  const condition = isTrusted ? 'sound' : known.condition === 'damaged' ? 'damaged' : 'unchecked'
  return write(folder, { ...known, condition, isChecking: false })
}

/** Whether the last service on the folder has closed the database in good order, if there is one. */
export function wasClosed(folder: string): boolean {
  const found = stateOf(folder)
  return found === undefined || isSame(readIntegrity(folder).closed, found)
}

/** Takes note of what a check does and finds. */
export function noteIntegrity(folder: string, integrity: Integrity): void {
  write(folder, integrity)
}

/** Must come after the database was closed. */
export function noteClosed(folder: string): void {
  const closed = stateOf(folder)
  write(folder, { ...readIntegrity(folder), isChecking: false, ...(closed ? { closed } : {}) })
}

/** Without the file the database counts as unchecked: on a full disk it is taken away. */
function write(folder: string, record: IntegrityRecord): Integrity {
  try {
    saveDurably(fileIn(folder), JSON.stringify(record))
  } catch {
    rmSync(fileIn(folder), { force: true })
  }
  return record
}

function fileIn(folder: string): string {
  return join(folder, 'integrity.json')
}

function stateOf(folder: string): FileState | undefined {
  const found = statSync(join(folder, 'tabularium.db'), { throwIfNoEntry: false })
  return found && { sizeBytes: found.size, modifiedMs: found.mtimeMs }
}

function isSame(one: FileState | undefined, other: FileState): boolean {
  return one?.sizeBytes === other.sizeBytes && one.modifiedMs === other.modifiedMs
}
