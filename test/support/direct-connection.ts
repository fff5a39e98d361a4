// A direct connection of the tests to the service's database, bypassing the service and its row-level security.
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { addJournalView } from './journal-view.ts'

export type Rows = Record<string, unknown>[]

export interface DirectConnection {
  /** Runs a statement; returns its rows. */
  query(text: string): Promise<Rows>
  /** Runs statements, in one round trip where there are any; returns the rows of each. */
  queryAll(texts: readonly string[]): Promise<readonly Rows[]>
  close(): Promise<void>
}

/** Connects to a file of SQLite. */
export function connectToSqlite(file: string): DirectConnection {
  let connection: DatabaseSync | undefined
  const query = (text: string): Rows => {
    if (!connection) {
      connection = new DatabaseSync(file)
      addJournalView(connection)
    }
    const statement = connection.prepare(text)
    statement.setReadBigInts(true)
    return statement.all().map(withNumbers)
  }
  return {
    query: async (text) => query(text),
    queryAll: async (texts) => texts.map(query),
    close: async () => {
      connection?.close()
    },
  }
}

/** An integer that is not exact as a number becomes a text, as in PostgreSQL's driver. */
function withNumbers(row: Rows[number]): Rows[number] {
  const numberOf = (value: unknown) => {
    if (typeof value !== 'bigint') return value
    return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  }
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, numberOf(value)]))
}

/** Connects to a PostgreSQL database as its superuser. A session that was terminated is replaced. */
export function connectToPostgres(connectionString: string): DirectConnection {
  const pool = new pg.Pool({ connectionString, max: 1, idleTimeoutMillis: 0 })
  pool.on('error', () => {})
  return {
    query: async (text) => (await pool.query(text)).rows,
    queryAll: async (texts) => {
      const results: pg.QueryResult | pg.QueryResult[] = await pool.query(texts.join(';'))
      return [results].flat().map(({ rows }) => rows)
    },
    close: () => pool.end(),
  }
}
