// Opens a database in a read-only session.

import pg from 'pg'
import type { ReadOnlyDatabase } from '../../journal/audit-store.ts'
import { tableColumns } from './custom-tables.ts'
import { postgresDialect } from './dialect.ts'
import { setupIndexes } from './indexes/setup-indexes.ts'
import { VALUE_TYPES } from './sessions/pools.ts'
import { requireReachable, requireVisibleRows } from './sessions/require-usable.ts'
import { bindTo, execute } from './sessions/session.ts'

const CONNECT_TIMEOUT_MS = 2_000

export async function openReadOnlyDatabase(url: string): Promise<ReadOnlyDatabase> {
  await requireReachable(url)
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    options: '-c default_transaction_read_only=on',
    types: VALUE_TYPES,
    application_name: 'tabularium reading',
  })
  // The loss of a session is reported by the statement that needs it.
  pool.on('error', () => {})
  try {
    const session = await pool.connect()
    session.on('error', () => {})
    await requireVisibleRows(session).catch((error: unknown) => {
      // The pool would wait for the session otherwise.
      session.release(true)
      throw error
    })
    return {
      all: async (companyId, declared, values) => {
        await bindTo(session, companyId)
        return (await execute(session, declared, values)).rows as never
      },
      dialect: postgresDialect,
      setupIndexes: () => setupIndexes(session),
      columnsOf: (table) => tableColumns(session, table),
      explain: async (companyId, { text, parameters }) => {
        await bindTo(session, companyId)
        const { rows } = await session.query({ text: `explain ${text}`, values: [...parameters], rowMode: 'array' })
        return rows.map((row) => String(row[0]))
      },
      [Symbol.asyncDispose]: async () => {
        session.release()
        await pool.end()
      },
    }
  } catch (error) {
    await pool.end()
    throw error
  }
}
