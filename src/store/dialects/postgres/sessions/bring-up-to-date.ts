// Migrates the schema at startup, in a session of its own without timeouts.
import { Kysely, PostgresDialect } from 'kysely'
import { type ColumnTypes, migrateToLatest } from '../../../migrations/migrate.ts'
import { openMigrationPool } from './pools.ts'

const LOCK_TIMEOUT = '55P03'
/** Another process may be migrating, or using a table. */
const TRIES = 12
const TRY_AGAIN_MS = 1_000

export async function migrateSchema(url: string, types: ColumnTypes): Promise<void> {
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
