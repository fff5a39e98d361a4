// Migrates a database to the schema of this version at startup. A database that a newer version has changed is left
// alone.
import type { Kysely } from 'kysely'
import { type MigrationResultSet, Migrator } from 'kysely/migration'
import type { SchemaSql } from '../dialects/schema.ts'
import * as archive from './archive.ts'
import * as audit from './audit.ts'
import * as batchOperations from './batch-operations.ts'
import * as changes from './changes.ts'
import * as decimals from './decimals.ts'
import * as documents from './documents.ts'
import * as indexes from './indexes.ts'
import * as journal from './journal.ts'
import * as proposals from './proposals.ts'
import * as records from './records.ts'
import * as serviceTables from './service-tables.ts'
import * as subscriptions from './subscriptions.ts'
import * as suppliers from './suppliers.ts'

type Migration = { up(db: Kysely<unknown>, schema: SchemaSql): Promise<unknown> }

/** In the order in which they run; a name is never changed once released. */
const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-records': records,
  '0002-documents': documents,
  '0003-archive': archive,
  '0004-audit': audit,
  '0005-repeats': { up: serviceTables.storedResponses },
  '0006-usage': { up: serviceTables.clientUsage },
  '0007-relations': { up: records.guardRelations },
  '0008-journal': journal,
  '0009-indexes': indexes,
  '0011-versions': { up: serviceTables.tableVersions },
  '0012-slow-queries': { up: serviceTables.slowQueries },
  '0013-decimals': decimals,
  '0014-long-texts': { up: indexes.longTexts },
  '0015-sizes': { up: journal.sizes },
  '0016-life-cycle': { up: journal.lifeCycle },
  '0017-serving': { up: serviceTables.servingProcesses },
  '0018-changes': changes,
  '0019-subscriptions': subscriptions,
  '0020-secrets': { up: serviceTables.serviceSecrets },
  '0021-suppliers': suppliers,
  '0022-batch-operations': batchOperations,
  '0023-proposals': proposals,
  '0024-sessions': { up: serviceTables.sessions },
}

/** Runs the missing migrations. Throws with a clear message when the schema is newer than this program. */
export async function migrateToLatest(db: Kysely<unknown>, schema: SchemaSql): Promise<void> {
  await migrate(db, schema, MIGRATION_NAMES)
}

/** The names of all migrations that this version knows, in their order. */
export const MIGRATION_NAMES: readonly string[] = Object.keys(MIGRATIONS)

/** Migrates a database to the schema of these migrations, such as that of an older backup. */
export async function migrate(db: Kysely<unknown>, schema: SchemaSql, names: readonly string[]): Promise<void> {
  const wanted = Object.entries(MIGRATIONS).filter(([name]) => names.includes(name))
  const known = wanted.map(([name, migration]) => [
    name,
    { up: async (handle: Kysely<unknown>) => void (await migration.up(handle, schema)) },
  ])
  const migrator = new Migrator({ db, provider: { getMigrations: async () => Object.fromEntries(known) } })
  await rejectNewerSchema(migrator, db)
  requireSuccess(await migrator.migrateToLatest())
}

async function rejectNewerSchema(migrator: Migrator, db: Kysely<unknown>): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some((table) => table.name === 'kysely_migration')) return
  const known = new Set((await migrator.getMigrations()).map((migration) => migration.name))
  const rows = await (db as Kysely<{ kysely_migration: { name: string } }>)
    .selectFrom('kysely_migration')
    .select('name')
    .execute()
  const unknown = rows.map((row) => row.name).filter((name) => !known.has(name))
  if (unknown.length > 0) {
    throw new Error(
      `the database was changed by a newer version of Tabularium (${unknown.join(', ')}): run that version, or restore a backup`,
    )
  }
}

function requireSuccess(results: MigrationResultSet): void {
  const { error: cause } = results
  if (cause === undefined) return
  const reason = cause instanceof Error ? cause.message : String(cause)
  throw new Error(`the database could not be brought to the schema of this version: ${reason}`, { cause })
}
