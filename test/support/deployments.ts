// The service as it is deployed: one process or several, on either database, with clients that keep their connections.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe } from 'vitest'
import { addJournalView } from './journal-view.ts'
import { KeepAliveClient } from './keep-alive-client.ts'
import { credentials, type Folder, kill, type Serving, serve, temporaryFolder } from './process.ts'
import { firstOf } from './reliability-test.ts'
import { asSuperuser, newDatabase, queryOn } from './test-database.ts'
import { STORE_KINDS, type StoreKind } from './world.ts'

const SETUP = 'test/fixtures/races.yaml'
/** In milliseconds. A token is valid for an hour. */
const TOKEN_MS = 30 * 60_000

type Row = Record<string, unknown>

/** The storage that the processes of a service share. */
interface Place {
  readonly folder: Folder
  /** The database as the service's own role accesses it; absent for SQLite. */
  readonly database: string | undefined
}

interface Kind {
  readonly title: string
  readonly store: StoreKind
  start(place: Place): Promise<Serving[]>
}

const KINDS: readonly Kind[] = [
  { title: 'SQLite, one process', store: 'sqlite', start: (place) => startOnSqlite(place, 1) },
  { title: 'SQLite, two processes', store: 'sqlite', start: (place) => startOnSqlite(place, 2) },
  { title: 'PostgreSQL, two services', store: 'postgres', start: startOnPostgres },
]

async function startOnSqlite({ folder }: Place, workers: number): Promise<Serving[]> {
  return [await serve(['--data', join(folder.path, 'data'), '--setup', SETUP, '--workers', String(workers)])]
}

/** Two services share a database, the signing keys and the files. */
async function startOnPostgres({ folder, database = '' }: Place): Promise<Serving[]> {
  const [keys, files] = [join(folder.path, 'first', 'keys.json'), join(folder.path, 'files')]
  const shared = ['--database', database, '--files', files]
  const first = await serve([...shared, '--data', join(folder.path, 'first'), '--setup', SETUP])
  const second = await serve([...shared, '--data', join(folder.path, 'second'), '--keys', keys])
  return [first, second]
}

/** A service that many clients use at once. */
export class Deployment {
  readonly title: string
  readonly #kind: Kind
  readonly #place: Place
  #serving: readonly Serving[] = []
  #token = { authorization: '', issuedAt: Number.NEGATIVE_INFINITY }

  constructor(kind: Kind, place: Place) {
    this.title = kind.title
    this.#kind = kind
    this.#place = place
  }

  async start(): Promise<void> {
    this.#serving = await this.#kind.start(this.#place)
  }

  /** Runs `work` with so many clients, spread evenly over the services, or over so many of them. */
  async withClients<T>(
    count: number,
    work: (clients: readonly KeepAliveClient[]) => Promise<T>,
    services = this.#serving.length,
  ): Promise<T> {
    const authorization = await this.#authorization()
    const addressOf = (at: number) => this.#address(at % services)
    const clients = Array.from({ length: count }, (_, at) => new KeepAliveClient(addressOf(at), authorization))
    try {
      return await work(clients)
    } finally {
      for (const client of clients) client.close()
    }
  }

  /** Runs a statement directly on the database, bypassing the service; returns its rows. */
  async rows(text: string): Promise<Row[]> {
    const { database, folder } = this.#place
    if (database === undefined) return rowsOnSqlite(join(folder.path, 'data', 'tabularium.db'), text)
    // The service's own role can only read the rows of one company at a time.
    return queryOn(asSuperuser(database), text) as Promise<Row[]>
  }

  /** Kills every process at once, like a power failure. */
  kill(): Promise<void> {
    return killAll(this.#serving)
  }

  #address(at: number): string {
    return this.#serving[at % this.#serving.length]?.address ?? ''
  }

  /** The clients use tokens: checking a secret takes long, and few are checked at once. */
  async #authorization(): Promise<string> {
    const now = performance.now()
    if (now - this.#token.issuedAt > TOKEN_MS) {
      const answer = await fetch(`${this.#address(0)}/oauth/token`, {
        method: 'POST',
        headers: { authorization: credentials },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      })
      const { access_token } = (await answer.json()) as { access_token: string }
      this.#token = { authorization: `Bearer ${access_token}`, issuedAt: now }
    }
    return this.#token.authorization
  }
}

/** Kills services with the processes that they have started. */
export async function killAll(services: readonly Serving[]): Promise<void> {
  const children = services.flatMap(({ child }) => childrenOf(child.pid))
  const ending = services.map(kill)
  for (const id of children) endNow(id)
  await Promise.all(ending)
}

function endNow(id: number): void {
  try {
    process.kill(id, 'SIGKILL')
  } catch {
    // The process has already exited.
  }
}

/** The ids of the processes that a service has started. */
function childrenOf(id: number | undefined): number[] {
  try {
    return readFileSync(`/proc/${id}/task/${id}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

function rowsOnSqlite(file: string, text: string): Row[] {
  const connection = new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
  addJournalView(connection)
  try {
    return connection.prepare(text).all() as Row[]
  } finally {
    connection.close()
  }
}

/** Declares the reliability tests once per deployment, each with a service of its own. */
export function onEachDeployment(title: string, declare: (running: () => Deployment) => void): void {
  const kinds = KINDS.filter(({ store }) => STORE_KINDS.includes(store))
  describe.each(firstOf(kinds))(`${title} on $title`, (kind) => {
    const folder = temporaryFolder()
    let deployment: Deployment | undefined
    beforeAll(async () => {
      const database = kind.store === 'postgres' ? await newDatabase() : undefined
      deployment = new Deployment(kind, { folder, database })
      await deployment.start()
    })
    afterAll(async () => {
      await deployment?.kill()
      folder.remove()
    })
    declare(() => {
      if (!deployment) throw new Error('the service has not started')
      return deployment
    })
  })
}
