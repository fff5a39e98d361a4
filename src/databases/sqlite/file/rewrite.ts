// Rewrites the database file: free pages and the unused parts of others keep the bytes of removed rows, and so do word
// indexes until their parts are merged.

import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { type Connection, firstColumn, prepareArrays } from '../dialect/connection.ts'
import { requireDatabaseFile } from './data-folder.ts'

/** For the end of a write of another process. */
const BUSY_TIMEOUT_MS = 60_000
const TRIES = 600
const TRY_AGAIN_MS = 100

const WORD_INDEXES = `select name from sqlite_schema where type = 'table' and sql like 'create virtual table % using fts5%'`

/** Needs as much free disk again as the file takes. Readers go on; writers wait. */
export async function rewriteFile(data: string): Promise<void> {
  const file = requireDatabaseFile(data)
  // The temporary copy belongs beside the file, where there is space for backups of it, not in the memory.
  process.env.SQLITE_TMPDIR = data
  const connection = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
  try {
    connection.exec('pragma temp_store = file')
    for (const { name } of connection.prepare(WORD_INDEXES).all()) {
      connection.exec(`insert into "${name}" ("${name}") values ('optimize')`)
    }
    connection.exec('vacuum')
    await emptyLog(connection)
  } finally {
    connection.close()
  }
}

/** Readers that are under way may still use the log. */
async function emptyLog(connection: Connection): Promise<void> {
  const checkpoint = prepareArrays(connection, 'pragma wal_checkpoint(truncate)')
  for (let tries = 0; firstColumn(checkpoint, []) !== 0; tries++) {
    if (tries === TRIES) throw new Error('the log of the database is in use: run the command again')
    await wait(TRY_AGAIN_MS)
  }
}
