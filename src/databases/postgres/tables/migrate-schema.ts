// Brings a database to the schema of this version while other servers use it.
import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import type { Observe } from '../../../observe/observation.ts'
import { reportNewer } from '../../migrations/compatibility.ts'
import { findState, MIGRATION_NAMES, migrateToLatest } from '../../migrations/migrate.ts'
import { openMigrationPool } from '../sessions/pools.ts'
import { whenFree } from '../sessions/when-free.ts'
import { postgresSchema } from './schema.ts'

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

/** Changes nothing, for a session that a pooler shares. Throws when the schema is not that of this version. */
export async function requireSchema(pool: pg.Pool, observe: Observe): Promise<void> {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  const { next, newer } = await findState(db, MIGRATION_NAMES)
  if (next !== undefined) {
    throw new Error(
      'the schema of the database is not that of this version: run `tabularium migrate` as the owner of its tables, without a pooler',
    )
  }
  reportNewer(newer, observe)
}
