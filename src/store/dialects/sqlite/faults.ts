import Database from 'better-sqlite3'
import { unavailable } from '../../../errors/catalogue.ts'
import { FatalStoreFault, storeUnavailable } from '../../store-fault.ts'

/** Translates an error of SQLite itself; anything else comes back as it is. */
export function translate(error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error
  const code = error.code
  if (code.startsWith('SQLITE_IOERR') || code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB') {
    return new FatalStoreFault(`the database file failed (${code})`, { cause: error })
  }
  if (code === 'SQLITE_FULL') return storeUnavailable('the disk is full', error)
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) return storeUnavailable('it is busy', error)
  if (code.startsWith('SQLITE_READONLY')) return storeUnavailable('it is read-only', error)
  return error
}

/** Another process writes at this moment. */
export function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')
}

/** What a caller is told whose write was under way when the disk failed: the log may have all of it, and may lose it yet. */
export function unsettled(cause: unknown): Error {
  return unavailable(
    'The store has failed and the service is stopping. What was written is known after its restart.',
    5,
    cause,
  )
}

/** What a caller is told when the process is about to end because of the disk. */
export function stopped(cause: unknown): Error {
  return unavailable('The store has failed and the service is stopping. Nothing was written.', 5, cause)
}
