// The seed on PostgreSQL: a database of the service, filled by its import, and one of the floor with the same records.
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { BENCH_SECRET, startService, tokenOf } from '../cast.ts'
import { runCommand } from '../command.ts'
import { type Row, tables } from '../floors/rows.ts'
import { TABLES } from '../floors/schema.ts'
import { source } from '../machine.ts'
import { SEEDS, SETUP } from '../place.ts'
import { INDEXES } from '../questions/all.ts'
import type { Scale } from '../records/scale.ts'
import { importRecords } from '../seed/import-records.ts'
import { kept, keyOf } from '../seed/kept.ts'
import { emptySchema, RECORDS, type Seed } from '../seed/seed.ts'
import { uploadDocuments } from '../seed/upload-documents.ts'
import { type Copied, copyTables } from './copied.ts'
import { addressOf, startServer } from './server.ts'

export const SERVICE_SEED = 'service_seed'
export const FLOOR_SEED = 'floor_seed'

export interface PostgresSeed extends Pick<Seed, 'imported' | 'source'> {
  /** The data folder of the database server. */
  readonly cluster: string
  /** The service's data folder. */
  readonly data: string
  readonly copied: readonly Copied[]
}

/** `scratch` is a folder for temporary files; `commit`: a seed that was imported by it, or else by any source. */
export async function postgresSeedOf(scale: Scale, scratch: string, commit = ''): Promise<PostgresSeed> {
  const files = [...RECORDS, 'seed/*.ts', 'floors/{rows,schema}.ts', 'postgres/{copied,seed,server}.ts']
  const key = keyOf((await emptySchema(join(scratch, 'empty'))) + INDEXES.join() + commit, files)
  const folder = await kept(`postgres-${scale.name}`, key, (path) => makeSeed(path, scale))
  const { imported, copied, source } = JSON.parse(readFileSync(join(folder, 'imported.json'), 'utf8')) as PostgresSeed
  return { imported, copied, source, cluster: join(folder, 'cluster'), data: join(folder, 'data') }
}

async function makeSeed(folder: string, scale: Scale): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  // Under root the database runs as another user, which must be able to enter the folder.
  for (const path of [folder, SEEDS]) chmodSync(path, 0o755)
  const server = await startServer(join(folder, 'cluster'), true)
  try {
    await server.administer(`create database ${SERVICE_SEED} owner bench`, `create database ${FLOOR_SEED} owner bench`)
    const store = ['--data', join(folder, 'data'), '--database', addressOf(SERVICE_SEED)]
    await runCommand(['setup', SETUP, ...store], { BENCH_SECRET })
    const imported = await importRecords(store, folder, scale)
    const copied = await copyTables(server, SERVICE_SEED, join(folder, 'cluster'), imported)
    const service = await startService(join(folder, 'data'), store.slice(2))
    await uploadDocuments(service, await tokenOf(service), scale)
    await service.stop()
    await fillFloor(scale)
    // A database in use has statistics: autovacuum makes them within a minute of an import.
    await server.run(SERVICE_SEED, 'vacuum analyze')
    writeFileSync(join(folder, 'imported.json'), JSON.stringify({ imported, copied, source: source() }))
  } finally {
    await server.stop()
  }
}

const ROWS_AT_ONCE = 500

async function fillFloor(scale: Scale): Promise<void> {
  process.stderr.write('filling the database of the floor\n')
  const client = new pg.Client({ connectionString: addressOf(FLOOR_SEED) })
  await client.connect()
  // The queries declare their indexes in the SQL of SQLite.
  const instr = "create function instr(text, text) returns integer immutable language sql as 'select strpos($1, $2)'"
  for (const statement of [instr, ...TABLES, 'begin']) await client.query(statement)
  for (const [table, rows] of tables(scale)) {
    const batch: Row[] = []
    for (const row of rows) {
      batch.push(row)
      if (batch.length === ROWS_AT_ONCE) await insertAll(client, table, batch.splice(0))
    }
    if (batch.length > 0) await insertAll(client, table, batch)
  }
  for (const statement of ['commit', ...INDEXES, 'vacuum analyze']) await client.query(statement)
  await client.end()
}

async function insertAll(client: pg.Client, table: string, rows: readonly Row[]): Promise<void> {
  let no = 0
  const places = rows.map((row) => `(${row.map(() => `$${++no}`).join(', ')})`)
  await client.query(`insert into ${table} values ${places.join(', ')}`, rows.flat())
}
