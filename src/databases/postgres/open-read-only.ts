// Opens a database in a read-only session.

import pg from 'pg'
import type { ReadOnlyDatabase } from '../../store/audit/audit-store.ts'
import { postgresDialect } from './dialect/dialect.ts'
import { ask } from './sessions/company-transaction.ts'
import { NO_COMPILATION, PASS_ON, VALUE_TYPES } from './sessions/pools.ts'
import { inSnapshot } from './sessions/reading-session.ts'
import { CONNECT_PATIENCE_MS, requireReachable } from './sessions/require-usable.ts'
import { execute, type Session } from './sessions/session.ts'
import { UnnamedStatements } from './sessions/statements.ts'
import { tableColumns } from './tables/declared-tables.ts'
import { setupIndexes } from './tables/setup-indexes.ts'
import { requireVisibleRows } from './tables/visible-rows.ts'

/** Each transaction says so itself, because a pooler may hand each one another session. */
const READ_ONLY = new UnnamedStatements([
  'set transaction read only',
  `set local ${PASS_ON}`,
  `set local ${NO_COMPILATION}`,
])

export async function openReadOnlyDatabase(url: string): Promise<ReadOnlyDatabase> {
  await requireReachable(url)
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: CONNECT_PATIENCE_MS,
    types: VALUE_TYPES,
    application_name: 'tabularium reading',
    pipeline: true,
  })
  // The loss of a session is reported by the statement that needs it.
  pool.on('error', () => {})
  try {
    const session = (await pool.connect()) as Session
    session.on('error', () => {})
    session.statements = READ_ONLY
    await inSnapshot(session, () => requireVisibleRows(session)).catch((error: unknown) => {
      // The pool would wait for the session otherwise.
      session.release(true)
      throw error
    })
    return {
      all: async (companyId, declared, values) => {
        const requested = { statements: READ_ONLY, query: (query: pg.QueryConfig) => ask(session, companyId, query) }
        return (await execute(requested, declared, values)).rows as never
      },
      dialect: postgresDialect,
      setupIndexes: () => setupIndexes(session),
      columnsOf: (table) => tableColumns(session, table),
      explain: async (companyId, { text, parameters }) => {
        const query = { text: `explain ${text}`, values: [...parameters], rowMode: 'array' }
        const { rows } = await ask(session, companyId, query)
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
