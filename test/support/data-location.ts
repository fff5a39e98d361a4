// Where a service of the backup tests stores its records: a data folder, and on PostgreSQL a database as well.
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { rowsOf } from './process.ts'
import { asSuperuser, copyOfDatabase, newDatabase, queryOn } from './test-database.ts'
import type { StoreKind } from './world.ts'

export interface DataLocation {
  readonly kind: StoreKind
  readonly data: string
  /** Address of the database for the service's own role; undefined on SQLite. */
  readonly database: string | undefined
  /** `--data` and, on PostgreSQL, `--database`. */
  readonly flags: readonly string[]
  /** Runs a statement that both engines understand, bypassing the service; returns its rows. */
  query(text: string): Promise<Record<string, unknown>[]>
}

/**
 * A location that nothing has been written to; the folder is not created. `server` replaces the test run's PostgreSQL.
 */
export async function emptyLocation(kind: StoreKind, data: string, server?: string): Promise<DataLocation> {
  if (kind === 'sqlite') {
    const query = async (text: string) => rowsOf(data, text)
    return { kind, data, database: undefined, flags: ['--data', data], query }
  }
  return placeOn(await newDatabase({ admin: server }), data)
}

function placeOn(database: string, data: string): DataLocation {
  const query = (text: string) => queryOn(asSuperuser(database), text)
  return { kind: 'postgres', data, database, flags: ['--data', data, '--database', database], query }
}

/** Copies a closed store to another location; on PostgreSQL the copy also has the same role. */
export async function copyOf(source: DataLocation, data: string): Promise<DataLocation> {
  mkdirSync(data, { recursive: true })
  if (source.database === undefined) {
    const file = join(source.data, 'tabularium.db')
    if (existsSync(file)) copyFileSync(file, join(data, 'tabularium.db'))
    return emptyLocation('sqlite', data)
  }
  return placeOn(await copyOfDatabase(source.database), data)
}

/** Every file below a folder with its digest. */
export function filesBelow(folder: string): Record<string, string> {
  const names = globSync('**', { cwd: folder }).filter((name) => statSync(join(folder, name)).isFile())
  const digest = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')
  return Object.fromEntries(names.sort().map((name) => [name, digest(name)]))
}

/** The state folder that the manifest of a backup names. */
export function stateOf(target: string): string {
  const { folder } = JSON.parse(readFileSync(join(target, 'manifest.json'), 'utf8')) as { folder: string }
  const states = readdirSync(join(target, 'database'))
  if (states.length !== 1) throw new Error(`there are ${states.length} states`)
  return join(target, 'database', folder)
}
