// Databases as older versions have left them, and a fingerprint of a database's version.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { MIGRATION_NAMES, migrate } from '../../../../src/databases/migrations/migrate.ts'
import { openMigrationPool } from '../../../../src/databases/postgres/sessions/pools.ts'
import { postgresSchema } from '../../../../src/databases/postgres/tables/schema.ts'
import { SchemaDialect, sqliteSchema } from '../../../../src/databases/sqlite/dialect/schema.ts'
import type { DataLocation } from '../../../support/data-location.ts'

/** What a version before the last migration would have made. */
const OLDER = MIGRATION_NAMES.slice(0, -1)

function schemaOf({ data, database }: DataLocation) {
  if (database === undefined) {
    const dialect = new SchemaDialect(new DatabaseSync(join(data, 'tabularium.db')))
    return { db: new Kysely<unknown>({ dialect }), types: sqliteSchema }
  }
  const dialect = new PostgresDialect({ pool: openMigrationPool(database) })
  return { db: new Kysely<unknown>({ dialect }), types: postgresSchema }
}

/** Fills an empty location as a version that knows the first migrations alone has left it. */
export async function makeOlder(place: DataLocation): Promise<void> {
  mkdirSync(place.data, { recursive: true })
  const { db, types } = schemaOf(place)
  await migrate(db, types, OLDER)
  await sql`insert into setup_item (kind, id) values ('role', 'reader')`.execute(db)
  await db.destroy()
}

/** Migrates an older database step by step; returns its state after each of them. */
export async function statesBetween(place: DataLocation): Promise<string[]> {
  const { db, types } = schemaOf(place)
  const states: string[] = []
  for (let count = OLDER.length; count <= MIGRATION_NAMES.length; count++) {
    await migrate(db, types, MIGRATION_NAMES.slice(0, count))
    states.push(await stateOf(place))
  }
  await db.destroy()
  return states
}

function executeIn(file: string, text: string): void {
  const connection = new DatabaseSync(file)
  connection.exec(text)
  connection.close()
}

/** Changes the database as a future version will leave it. */
export async function makeNewer({ data, database, query }: DataLocation, name = '9999-later'): Promise<void> {
  const text = `insert into kysely_migration values ('${name}', '2999-01-01T00:00:00.000Z')`
  if (database === undefined) executeIn(join(data, 'tabularium.db'), text)
  else await query(text)
}

export const nameOf = ({ database }: DataLocation): string => new URL(database!).pathname.slice(1)

/** The schema of a database and its journal: equal texts mean the same version, completely migrated. */
export async function stateOf({ kind, data, ...place }: DataLocation): Promise<string> {
  const isMade = kind === 'postgres' || existsSync(join(data, 'tabularium.db'))
  const query = isMade ? place.query : async () => []
  const parts: unknown[] = []
  for (const text of SCHEMA[kind]) parts.push(await query(text))
  const tables = await query(TABLES[kind])
  for (const [table, order] of READ) {
    if (tables.some(({ name }) => name === table)) parts.push(await query(`select * from ${table} order by ${order}`))
  }
  const migrations = tables.some(({ name }) => name === 'kysely_migration')
    ? await query('select name from kysely_migration order by name')
    : []
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12)
  return `${migrations.length} migrations, ${digest}`
}

const READ = [
  ['setup_item', 'id'],
  ['journal_counter', 'company_id'],
  ['journal_entry', 'entry_no'],
] as const

/** Without the tables in which Kysely records its migrations. */
const TABLES = {
  sqlite: `select name from sqlite_schema where type = 'table' and name not like 'sqlite%' and name <> 'kysely_migration_lock'`,
  postgres: `select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'kysely_migration_lock'`,
} as const

const SCHEMA = {
  sqlite: [
    `select type, name, sql from sqlite_schema where name not like 'kysely%' and name not like 'sqlite%' order by name`,
  ],
  postgres: [
    `select table_name, column_name, data_type, column_default, is_nullable from information_schema.columns
      where table_schema = 'public' and table_name not like 'kysely%' order by table_name, ordinal_position`,
    `select indexdef from pg_indexes where schemaname = 'public' and tablename not like 'kysely%' order by indexname`,
    `select tablename, policyname, qual, with_check from pg_policies order by tablename`,
    `select relname, relrowsecurity, relforcerowsecurity from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'kysely%' order by relname`,
  ],
} as const
