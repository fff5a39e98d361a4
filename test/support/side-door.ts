// A connection of the tests' own to the database of the service, past the service and its row-level security.
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { addJournalView } from '../../src/store/dialects/sqlite/functions/journal-text.ts'

export type Rows = Record<string, unknown>[]

export interface SideDoor {
  /** Runs a statement; gives its rows. */
  query(text: string): Promise<Rows>
  close(): Promise<void>
}

/** To a file of SQLite. */
export function sqliteDoor(file: string): SideDoor {
  let connection: DatabaseSync | undefined
  return {
    query: async (text) => {
      if (!connection) {
        connection = new DatabaseSync(file)
        addJournalView(connection)
      }
      const statement = connection.prepare(text)
      statement.setReadBigInts(true)
      return statement.all().map(withNumbers)
    },
    close: async () => {
      connection?.close()
    },
  }
}

/** An integer that no number holds is a text, as PostgreSQL's driver has it. */
function withNumbers(row: Rows[number]): Rows[number] {
  const numberOf = (value: unknown) => {
    if (typeof value !== 'bigint') return value
    return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  }
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, numberOf(value)]))
}

/** To a database of PostgreSQL, as its superuser. A session that was ended meanwhile is replaced. */
export function postgresDoor(connectionString: string): SideDoor {
  const pool = new pg.Pool({ connectionString, max: 1, idleTimeoutMillis: 0 })
  pool.on('error', () => {})
  return {
    query: async (text) => (await pool.query(text)).rows,
    close: () => pool.end(),
  }
}
