import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import type { EmbeddedDriver } from '../driver.ts'
import { type Connection, firstColumn, prepareArrays } from './dialect/connection.ts'
import { checkFile, copyFile } from './dump.ts'
import { hasDatabase, requireDatabaseFile, requireNotLost } from './file/data-folder.ts'
import { checkDatabaseFile } from './file/integrity-check.ts'
import { openEmptyFolder } from './load.ts'
import { openFolder, openScratchStore } from './open-folder.ts'
import { openReadOnlyFile } from './read-only.ts'

export const sqliteDriver: EmbeddedDriver = {
  name: 'sqlite',
  title: 'SQLite',
  restoreHint: 'it is restored into a data folder, without --database',
  serves: (url) => url === undefined,
  openStore: openFolder,
  openReadOnly: async ({ data }, attached) => openReadOnlyFile(requireDatabaseFile(data), attached),
  isOlderSchema: (error) => /^no such (table|column)/.test((error as Error).message),
  isSetUp: async ({ data }) => {
    requireNotLost(data)
    return hasDatabase(data)
  },
  requireSetUp: async ({ data }) => void requireDatabaseFile(data),
  copy: copyFile,
  checkCopy: checkFile,
  openRestoreTarget: ({ data }, _migrations, validateOnly) => openEmptyFolder(data, validateOnly),
  checkIntegrity: checkDatabaseFile,
  distribute: async () => {
    throw new Error('SQLite keeps all records in one file: name a PostgreSQL database with --database')
  },
  grantService: async () => {
    throw new Error('--grant-to: a database in the data folder has no roles')
  },
  rewrite: ({ data }) => rewriteFile(data),
  openScratchStore,
}

// Rewrites the database file: free pages and the unused parts of others keep the bytes of removed rows, and so do word
// indexes until their parts are merged.

/** For the end of a write of another process. */
const BUSY_TIMEOUT_MS = 60_000
const TRIES = 600
const TRY_AGAIN_MS = 100

const WORD_INDEXES = `select name from sqlite_schema where type = 'table' and sql like 'create virtual table % using fts5%'`

/** Needs as much free disk again as the file takes. Readers go on; writers wait. */
async function rewriteFile(data: string): Promise<void> {
  const file = requireDatabaseFile(data)
  // The temporary copy belongs beside the file, where there is space for backups of it, not in the memory.
  process.env.SQLITE_TMPDIR = data
  using connection = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
  connection.exec('pragma temp_store = file')
  for (const { name } of connection.prepare(WORD_INDEXES).all()) {
    connection.exec(`insert into "${name}" ("${name}") values ('optimize')`)
  }
  connection.exec('vacuum')
  await emptyLog(connection)
}

/** Readers that are under way may still use the log. */
async function emptyLog(connection: Connection): Promise<void> {
  const checkpoint = prepareArrays(connection, 'pragma wal_checkpoint(truncate)')
  for (let tries = 0; firstColumn(checkpoint, []) !== 0; tries++) {
    if (tries === TRIES) throw new Error('the log of the database is in use: run the command again')
    await wait(TRY_AGAIN_MS)
  }
}
