// Brings a database to the schema of this version while other servers use it.
import { Kysely, PostgresDialect } from 'kysely'
import type { Observe } from '../../../../observe/observation.ts'
import { reportNewer } from '../../../migrations/compatibility.ts'
import { migrateToLatest } from '../../../migrations/migrate.ts'
import { postgresSchema } from '../schema.ts'
import { openMigrationPool } from '../sessions/pools.ts'
import { whenFree } from '../sessions/when-free.ts'

/** Longer than most migrations take. */
const REPORTED_MS = 5_000

/** Migrates the schema at startup, in a session of its own without timeouts. */
export async function migrateSchema(url: string, observe: Observe): Promise<void> {
  const pool = openMigrationPool(url)
  const message = 'the schema of the database is being changed, here or by another process: the start waits for it'
  const report = setTimeout(() => observe({ kind: 'store-warning', message }), REPORTED_MS)
  try {
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
    reportNewer(await whenFree(pool, () => migrateToLatest(db, postgresSchema)), observe)
  } finally {
    clearTimeout(report)
    await pool.end()
  }
}
