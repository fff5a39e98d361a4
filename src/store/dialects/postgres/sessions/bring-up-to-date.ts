// Changes of the schema at a start: in a session of their own, which has the time that they take.
import { Kysely, PostgresDialect } from 'kysely'
import { type ColumnTypes, migrateToLatest } from '../../../migrations/migrate.ts'
import { openMigrationPool } from './pools.ts'

const LOCK_TIMEOUT = '55P03'
/** Another process may be at it, or be using a table. */
const TRIES = 12
const TRY_AGAIN_MS = 1_000

export async function bringUpToDate(url: string, types: ColumnTypes): Promise<void> {
  const pool = openMigrationPool(url)
  try {
    for (let tries = 1; ; tries++) {
      try {
        return await migrateToLatest(new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) }), types)
      } catch (error) {
        const { code } = ((error as Error).cause ?? {}) as { code?: string }
        if (code !== LOCK_TIMEOUT || tries === TRIES) throw error
        await new Promise((resume) => setTimeout(resume, TRY_AGAIN_MS))
      }
    }
  } finally {
    await pool.end()
  }
}
