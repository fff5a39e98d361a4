// Where a service of the backup tests keeps its records: a data folder, and on PostgreSQL a database beside it.
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { rowsOf } from './process.ts'
import type { StoreKind } from './world.ts'

let databases = 0

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
  const admin = server ?? inject('postgresAdmin')
  const name = `b${process.pid}_${Date.now() % 100_000_000}_${databases++}`
  await asAdmin(`${admin}/postgres`, `create role ${name} login password 'secret'`)
  await asAdmin(`${admin}/postgres`, `create database ${name} owner ${name}`)
  const database = `${admin.replace('postgres:postgres@', `${name}:secret@`)}/${name}`
  const query = (text: string) => asAdmin(`${admin}/${name}`, text)
  return { kind, data, database, flags: ['--data', data, '--database', database], query }
}

/** Another place with what is in one of a closed store; on PostgreSQL also that one's role. */
export async function copyOf(source: BackupPlace, data: string): Promise<BackupPlace> {
  mkdirSync(data, { recursive: true })
  if (source.database === undefined) {
    const file = join(source.data, 'tabularium.db')
    if (existsSync(file)) copyFileSync(file, join(data, 'tabularium.db'))
    return emptyPlace('sqlite', data)
  }
  const url = new URL(source.database)
  const admin = `postgres://postgres:postgres@${url.host}`
  const name = `c${process.pid}_${Date.now() % 100_000_000}_${databases++}`
  await asAdmin(`${admin}/postgres`, `create database ${name} template ${url.pathname.slice(1)} owner ${url.username}`)
  url.pathname = name
  const query = (text: string) => asAdmin(`${admin}/${name}`, text)
  return { kind: 'postgres', data, database: url.href, flags: ['--data', data, '--database', url.href], query }
}

async function asAdmin(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
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
