// Opens the configured database read-only: takes no lock and runs no migrations.

import { openReadOnlyDatabase } from './dialects/postgres/read-only.ts'
import { requireDatabaseFile } from './dialects/sqlite/file/data-folder.ts'
import { openReadOnlyFile } from './dialects/sqlite/read-only.ts'
import { findChainEnd, listChains, type ReadOnlyDatabase } from './journal/audit-store.ts'
import type { StoreSettings } from './open-store.ts'

/** Throws with a clear message when there is no database, or when this version has never opened it. */
export async function openReadOnly({
  data,
  database: url,
  attached = [],
}: Pick<StoreSettings, 'data' | 'database' | 'attached'>): Promise<ReadOnlyDatabase> {
  const database =
    url === undefined ? openReadOnlyFile(requireDatabaseFile(data), attached) : await openReadOnlyDatabase(url)
  try {
    await listChains(database)
    await findChainEnd(database, '')
    return database
  } catch (cause) {
    await database.close()
    if (!isOlderSchema(cause)) throw cause
    throw new Error('the database was not opened by this version yet: start the service, or run setup, once', { cause })
  }
}

/** Whether a table or column is missing, by the messages of SQLite and the codes of PostgreSQL. */
function isOlderSchema(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return ['42P01', '42703'].includes(code) || /^no such (table|column)/.test(message)
}
