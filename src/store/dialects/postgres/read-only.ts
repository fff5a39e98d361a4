// A database read in a session that cannot write.
import pg from 'pg'
import type { ReadOnlyDatabase } from '../../audit-store.ts'
import { bindTo, execute } from './session.ts'

const CONNECT_TIMEOUT_MS = 5_000

export async function openReadOnlyDatabase(url: string): Promise<ReadOnlyDatabase> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    options: '-c default_transaction_read_only=on',
    application_name: 'tabularium audit',
  })
  // A session that the database ends is told by the statement that needs it.
  pool.on('error', () => {})
  try {
    const session = await pool.connect()
    session.on('error', () => {})
    return {
      all: async (companyId, declared, values) => {
        await bindTo(session, companyId)
        return (await execute(session, declared, values)).rows as never
      },
      close: async () => {
        session.release()
        await pool.end()
      },
    }
  } catch (error) {
    await pool.end()
    throw error
  }
}
