// Where a service of the backup tests keeps its records: a data folder, and on PostgreSQL a database beside it.
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { asSuperuser, copyOfDatabase, newDatabase, queryOn } from './own-database.ts'
import { rowsOf } from './process.ts'
import type { StoreKind } from './world.ts'

export interface BackupPlace {
  readonly kind: StoreKind
  readonly data: string
  /** Of the role that the service has; undefined on SQLite. */
  readonly database: string | undefined
  /** `--data` and, on PostgreSQL, `--database`. */
  readonly flags: readonly string[]
  /** Rows of a statement that both engines understand, past the service. */
  query(text: string): Promise<Record<string, unknown>[]>
}

/** A place that nothing has been written to; the folder is not made. `server` is another PostgreSQL than that of the test run. */
export async function emptyPlace(kind: StoreKind, data: string, server?: string): Promise<BackupPlace> {
  if (kind === 'sqlite') {
    const query = async (text: string) => rowsOf(data, text)
    return { kind, data, database: undefined, flags: ['--data', data], query }
  }
  return placeOn(await newDatabase({ admin: server }), data)
}

function placeOn(database: string, data: string): BackupPlace {
  const query = (text: string) => queryOn(asSuperuser(database), text)
  return { kind: 'postgres', data, database, flags: ['--data', data, '--database', database], query }
}

/** Another place with what is in one of a closed store; on PostgreSQL also that one's role. */
export async function copyOf(source: BackupPlace, data: string): Promise<BackupPlace> {
  mkdirSync(data, { recursive: true })
  if (source.database === undefined) {
    const file = join(source.data, 'tabularium.db')
    if (existsSync(file)) copyFileSync(file, join(data, 'tabularium.db'))
    return emptyPlace('sqlite', data)
  }
  return placeOn(await copyOfDatabase(source.database), data)
}

/** Every file below a folder with a digest of it. */
export function filesBelow(folder: string): Record<string, string> {
  const names = globSync('**', { cwd: folder }).filter((name) => statSync(join(folder, name)).isFile())
  const digest = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')
  return Object.fromEntries(names.sort().map((name) => [name, digest(name)]))
}

/** The folder of the state that the manifest of a backup names. */
export function stateOf(target: string): string {
  const { folder } = JSON.parse(readFileSync(join(target, 'manifest.json'), 'utf8')) as { folder: string }
  const states = readdirSync(join(target, 'database'))
  if (states.length !== 1) throw new Error(`there are ${states.length} states`)
  return join(target, 'database', folder)
}
