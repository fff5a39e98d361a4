import { unavailable } from '../../../errors/catalogue.ts'
import { FatalStoreFault, storeReadOnly, storeUnavailable } from '../../../store/store-fault.ts'

/** Primary result codes of SQLite (sqlite.org/rescode.html). */
const SQLITE_BUSY = 5
const SQLITE_LOCKED = 6
const SQLITE_READONLY = 8
const SQLITE_IOERR = 10
const SQLITE_CORRUPT = 11
const SQLITE_FULL = 13
const SQLITE_TOOBIG = 18
const SQLITE_NOTADB = 26

/** After these errors the file, or what the operating system has written of it, cannot be trusted. */
const FATAL: Readonly<Record<number, string>> = {
  [SQLITE_IOERR]: 'SQLITE_IOERR',
  [SQLITE_CORRUPT]: 'SQLITE_CORRUPT',
  [SQLITE_NOTADB]: 'SQLITE_NOTADB',
}

/** An error of SQLite as `node:sqlite` throws it; `errcode` is the extended result code. */
export interface SqliteError extends Error {
  readonly errcode: number
}

export function isSqliteError(error: unknown): error is SqliteError {
  return error instanceof Error && typeof (error as Partial<SqliteError>).errcode === 'number'
}

/** What SQLite has said of the file of the store, where that is damage; an error of an attached file names that. */
export function damageIn(error: unknown): string | undefined {
  for (let at = error; at instanceof Error && !(at instanceof AttachedFault); at = at.cause) {
    if ([SQLITE_CORRUPT, SQLITE_NOTADB].includes(primaryCode(at) ?? 0)) return at.message
  }
  return undefined
}

/** A further file of `--attach` cannot be read. */
export class AttachedFault extends Error {}

/** Recreates an SQLite error that another process has reported. */
export function sqliteError(message: string, errcode: number): SqliteError {
  return Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode })
}

/** The low byte of an extended result code is the primary one. */
function primaryCode(error: unknown): number | undefined {
  return isSqliteError(error) ? error.errcode & 0xff : undefined
}

/** Translates an error of SQLite; any other error is returned unchanged. */
export function translate(error: unknown): unknown {
  const code = primaryCode(error)
  if (code === undefined) return error
  const fatal = FATAL[code]
  if (fatal !== undefined) {
    const { errcode } = error as SqliteError
    return new FatalStoreFault(`the database file failed (${fatal}, extended code ${errcode})`, { cause: error })
  }
  if (code === SQLITE_FULL) return storeUnavailable('the disk is full', error)
  if (code === SQLITE_BUSY || code === SQLITE_LOCKED) return storeUnavailable('it is busy', error)
  if (code === SQLITE_READONLY) return storeReadOnly(error)
  return error
}

/** Translates an error of a query. A damaged page ends writes, but queries of other pages go on. */
export function translateRead(error: unknown): unknown {
  const fault = translate(error)
  return fault instanceof FatalStoreFault ? storeUnavailable('its file is damaged', fault) : fault
}

/** Whether another process is writing. */
export function isBusy(error: unknown): boolean {
  return primaryCode(error) === SQLITE_BUSY
}

/** Whether a text or a row exceeds the limit of the connection. */
export function isTooBig(error: unknown): boolean {
  return primaryCode(error) === SQLITE_TOOBIG
}

/**
 * The problem of a caller whose write was running when the disk failed: the log may contain all of it, and may still
 * lose it.
 */
export function outcomeUnknown(cause: unknown): Error {
  return unavailable(
    'The store has failed and the service is stopping. What was written is known after its restart.',
    5,
    cause,
  )
}

/** The problem of a caller when the process is about to end because of the disk. */
export function storeStopped(cause: unknown): Error {
  return unavailable('The store has failed and the service is stopping. Nothing was written.', 5, cause)
}
