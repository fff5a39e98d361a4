// Migrates a database to the schema of this version at startup. A database that a newer version has changed is left
// as it is, and used if its migrations allow that.
import type { Kysely } from 'kysely'
import { type MigrationResultSet, Migrator } from 'kysely/migration'
import type { SchemaSql } from '../../sql/schema.ts'
import { requireCompatible } from './compatibility.ts'
import * as documents from './documents.ts'
import * as journal from './journal.ts'
import * as mirror from './mirror.ts'
import * as policies from './policies.ts'
import * as records from './records.ts'
import * as service from './service.ts'
import * as settings from './settings.ts'

interface Migration {
  up(db: Kysely<unknown>, schema: SchemaSql): Promise<unknown>
  /**
   * Each statement commits by itself where others write, so that it holds the lock of one table at most; after a stop
   * all of them run again. It builds or drops indexes by `SchemaSql`, or changes many tables.
   */
  readonly commitsStatements?: true
}

/**
 * In the order in which they run; a name is never changed once released. The name says which older programs may use
 * the database afterwards (`compatibility.ts`). Numbers below a hundred are of versions before the first release.
 */
const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0101-records': records,
  '0102-documents': documents,
  '0103-journal': journal,
  '0104-service': service,
  '0105-mirror.since-0104': mirror,
  '0106-person-settings.since-0105': settings,
  '0107-policies': policies,
}

/**
 * Runs the missing migrations. Returns those of a newer version; throws when they leave no schema for this program.
 */
export function migrateToLatest(db: Kysely<unknown>, schema: SchemaSql): Promise<readonly string[]> {
  return migrate(db, schema, MIGRATION_NAMES)
}

/** The names of all migrations that this version knows, in their order. */
export const MIGRATION_NAMES: readonly string[] = Object.keys(MIGRATIONS)

/** The same for the schema of these migrations, such as that of an older backup. */
export async function migrate(
  db: Kysely<unknown>,
  schema: SchemaSql,
  names: readonly string[],
): Promise<readonly string[]> {
  const found = await findState(db, names)
  if (found.next === undefined) return found.newer
  return schema.migrateAlone(db, async (alone) => {
    for (;;) {
      const state = await findState(alone, names)
      if (state.next === undefined) return state.newer
      await run(migratorOf(alone, schema, names), state.next, state.isNew || alone.isTransaction)
    }
  })
}

interface State {
  /** Whether no migration has run: nobody uses the database. */
  readonly isNew: boolean
  /** The migration to run; undefined when the schema has all, or is that of a newer version. */
  readonly next: string | undefined
  readonly newer: readonly string[]
}

/** What a start would do with the database. */
export async function findState(db: Kysely<unknown>, names: readonly string[]): Promise<State> {
  const executed = await executedMigrations(db)
  const isNew = executed.length === 0
  const next = names.find((name) => !executed.includes(name))
  const newer = executed.filter((name) => !names.includes(name))
  if (newer.length === 0) return { isNew, next, newer }
  requireCompatible(newer, next === undefined ? names : [])
  return { isNew, next: undefined, newer }
}

async function executedMigrations(db: Kysely<unknown>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some((table) => table.name === 'kysely_migration')) return []
  const rows = await (db as Kysely<{ kysely_migration: { name: string } }>)
    .selectFrom('kysely_migration')
    .select('name')
    .orderBy('name')
    .execute()
  return rows.map(({ name }) => name)
}

function migratorOf(db: Kysely<unknown>, schema: SchemaSql, names: readonly string[]): Migrator {
  const wanted = Object.entries(MIGRATIONS).filter(([name]) => names.includes(name))
  const known = wanted.map(([name, { up }]) => [
    name,
    { up: async (handle: Kysely<unknown>) => void (await up(handle, schema)) },
  ])
  return new Migrator({ db, provider: { getMigrations: async () => Object.fromEntries(known) } })
}

/** Runs the next migration and records it in one transaction, unless it commits by itself; or all of them in one. */
async function run(migrator: Migrator, next: string, isAllInOne: boolean): Promise<void> {
  const disableTransactions = MIGRATIONS[next]?.commitsStatements === true
  requireSuccess(await (isAllInOne ? migrator.migrateToLatest() : migrator.migrateUp({ disableTransactions })))
}

function requireSuccess({ error: cause, results = [] }: MigrationResultSet): void {
  if (cause === undefined) return
  const reason = cause instanceof Error ? cause.message : String(cause)
  const failed = results.find(({ status }) => status === 'Error')?.migrationName
  const where = failed === undefined ? '' : ` (${failed})`
  throw new Error(`the database could not be brought to the schema of this version${where}: ${reason}`, { cause })
}
