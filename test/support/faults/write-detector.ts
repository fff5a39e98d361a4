// Detects cheaply whether anything was written: it is checked after every failure.
import { hash } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { inject } from 'vitest'
import { pragma } from '../../../src/databases/sqlite/dialect/connection.ts'
import type { StoreKind, World } from '../world.ts'

export interface WriteDetector {
  /** A text that changes when something was committed. */
  state(): Promise<string>
  stop(): Promise<void>
}

export async function watchWrites(world: World, kind: StoreKind): Promise<WriteDetector> {
  return kind === 'sqlite' ? onSqlite(world.folder) : await onPostgres(new URL(world.databaseUrl()).pathname)
}

const withBigInts = (_name: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)

/** The rows of all tables, read again after each commit, even if it changed nothing. */
function onSqlite(folder: string): WriteDetector {
  const connection = new DatabaseSync(join(folder, 'tabularium.db'), { readOnly: true })
  const named = connection.prepare(
    "select name from sqlite_schema where type = 'table' and sql not like 'create virtual%'",
  )
  // Row numbers of text indexes are integers beyond what a number holds exactly.
  const exact = { returnArrays: true, readBigInts: true }
  const tables = named.all().map(({ name }) => connection.prepare(`select * from "${name}"`, exact))
  let version: unknown
  let rows = ''
  return {
    state: async () => {
      const now = pragma(connection, 'data_version')
      if (now !== version)
        rows = hash(
          'sha256',
          JSON.stringify(
            tables.map((table) => table.all()),
            withBigInts,
          ),
        )
      version = now
      return rows
    },
    stop: async () => void connection.close(),
  }
}

/** The number of rows of each table, and the last transaction that wrote one. */
async function onPostgres(path: string): Promise<WriteDetector> {
  const client = new pg.Client({ connectionString: inject('postgresAdmin') + path })
  await client.connect()
  const { rows } = await client.query("select tablename from pg_tables where schemaname = 'public' order by 1")
  const tables = rows.map(
    ({ tablename }) => `select count(*) || ':' || coalesce(max(xmin::text::bigint), 0) as n from "${tablename}"`,
  )
  const text = `select string_agg(n, ' ') as state from (${tables.join(' union all ')}) each`
  return { state: async () => (await client.query(text)).rows[0].state, stop: () => client.end() }
}
