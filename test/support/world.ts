// The complete application on a store of its own, as a client accesses it, for each kind of store.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { buildApplication } from '../../src/app/app.ts'
import type { Application } from '../../src/app/application.ts'
import type { RateLimits } from '../../src/http/pipeline/rate-limiter.ts'
import type { ServerFactory } from '../../src/mcp/mcp-server.ts'
import type { LogRequest, Observation } from '../../src/observe/observation.ts'
import { CLUSTER } from './cluster.ts'
import { connectToPostgres, connectToSqlite, type DirectConnection, type Rows } from './direct-connection.ts'
import { injectInto } from './inject.ts'
import { recorded } from './recorder/record.ts'
import { firstOf } from './reliability-test.ts'
import { asSuperuser, queryOn } from './test-database.ts'
import { uniqueAddress } from './unique-address.ts'
import { filledPlace, migratedPlace, newPlace, type StoredPlace } from './world-templates.ts'

export const CLIENT_SECRET = 'a secret of the tests'
process.env.TEST_CLIENT_SECRET = CLIENT_SECRET

const TABLES = [
  'setup_item',
  'journal_counter',
  'journal_entry',
  'journal_origin',
  'journal_dictionary',
  'numbering',
  'attribute',
  'relation',
  'attribute_value',
  'attribute_relation',
  'company',
  'value_list',
  'ledger_transaction',
  'customer',
  'document',
  'document_index',
  'document_revision',
  'document_text',
  'kept_answer',
  'subscription',
  'subscription_event',
  'subscription_attempt',
  'batch_operation',
  'batch_operation_result',
  'proposal',
]

export type StoreKind = 'sqlite' | 'postgres'

/** Which kinds of store a run tests; `STORES=sqlite` narrows it. */
export const STORE_KINDS = (process.env.STORES ?? 'sqlite,postgres').split(',') as StoreKind[]

/** For tests of what does not depend on the database: SQLite in `npm test`, both in the long form. */
export const FEWER_KINDS = firstOf(STORE_KINDS)

export interface Sent {
  /** A client of the fixture; absent: no credentials are sent. */
  readonly as?: string
  /** The source address; absent: a new one for each request without a client's token. */
  readonly from?: string
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE' | 'PUT' | 'OPTIONS'
  readonly url: string
  /** Sent as JSON; a string and bytes are sent as they are. */
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

export interface Answer {
  readonly status: number
  readonly headers: Record<string, string | number | string[] | undefined>
  readonly text: string
  readonly bytes: Buffer
  /** The parsed body; undefined when there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape.
  readonly json: any
}

export class World {
  readonly application: Application
  /** All servers on the store, which get the requests in turn. */
  readonly #servers: readonly Application[]
  #sent = 0
  readonly observed: Observation[]
  readonly folder: string
  readonly #door: DirectConnection
  readonly #databaseUrl: string | undefined
  readonly #tokens = new Map<string, string>()
  /** Those whose rows are compared. */
  #tables: readonly string[] | undefined
  /** The rows that were read last, and what `#version` said then. */
  #dumped: { readonly version: string; readonly rows: ReadonlySet<string> } | undefined

  /** The kind of store of this world. */
  get kind(): StoreKind {
    return this.#databaseUrl === undefined ? 'sqlite' : 'postgres'
  }

  constructor(
    servers: readonly [Application, ...Application[]],
    observed: Observation[],
    folder: string,
    door: DirectConnection,
    databaseUrl?: string,
  ) {
    this.#servers = servers
    this.application = servers[0]
    this.observed = observed
    this.folder = folder
    this.#door = door
    this.#databaseUrl = databaseUrl
  }

  send(sent: Sent): Promise<Answer> {
    return recorded(sent, this.#answer(sent), ({ status, headers, bytes }) => ({ status, headers, bytes }))
  }

  async #answer({ as, from, method = 'GET', url, body, headers = {} }: Sent): Promise<Answer> {
    const credentials = as === undefined ? {} : { authorization: `Bearer ${await this.token(as)}` }
    const content = body === undefined ? {} : { 'content-type': 'application/json' }
    const server = this.#servers[this.#sent++ % this.#servers.length] ?? this.application
    const answer = await injectInto(server.server, {
      method,
      url,
      remoteAddress: from ?? (as === undefined ? uniqueAddress() : '127.0.0.1'),
      headers: { ...credentials, ...content, ...headers },
      ...(body === undefined
        ? {}
        : { payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
    })
    const text = answer.body
    if (answer.statusCode === 500) console.error('answered 500:', method, url, this.observed.slice(-3))
    const isJson = /[/+]json/.test(String(answer.headers['content-type'])) && text !== ''
    const bytes = answer.rawPayload
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text,
      bytes,
      json: isJson ? JSON.parse(text) : undefined,
    }
  }

  async token(client: string): Promise<string> {
    const known = this.#tokens.get(client)
    if (known) return known
    const token = await this.application.tokens.issue(client)
    this.#tokens.set(client, token)
    return token
  }

  /** Tokens have ended by a clock that was put forward. */
  forgetTokens(): void {
    this.#tokens.clear()
  }

  /** All stored rows, each as a text. They are read again only when something was written since the last time. */
  async dump(): Promise<ReadonlySet<string>> {
    // Text extraction runs in the background; wait for it.
    for (const { texts } of this.#servers) await texts.settle()
    this.#tables ??= [...TABLES, ...(await this.#ownTables())]
    const version = await this.#version(this.#tables)
    if (this.#dumped?.version !== version) this.#dumped = { version, rows: await this.#rows(this.#tables) }
    return this.#dumped.rows
  }

  async #rows(names: readonly string[]): Promise<ReadonlySet<string>> {
    const tables = await this.#door.queryAll(names.map((table) => `select * from ${table}`))
    return new Set(tables.flatMap((rows, at) => rows.map((row) => `${names[at]} ${JSON.stringify(row)}`)))
  }

  /**
   * Another text after every commit that has changed a row. SQLite counts the commits of other connections and the
   * changes of this one. On PostgreSQL each row has the number of the transaction that wrote it; the server's counters
   * of written rows come late.
   */
  async #version(names: readonly string[]): Promise<string> {
    const written = 'count(*) as rows, sum(xmin::text::bigint) as writers'
    const parts =
      this.kind === 'sqlite'
        ? ['pragma data_version', 'select total_changes() as own']
        : [names.map((table) => `select ${written} from ${table}`).join(' union all ')]
    return JSON.stringify(await this.#door.queryAll(parts))
  }

  /** The tables of the documents that the setup declares. */
  async #ownTables(): Promise<string[]> {
    const all =
      this.kind === 'sqlite'
        ? "select name from sqlite_master where type = 'table'"
        : 'select tablename as name from pg_tables where schemaname = current_schema()'
    return (await this.query(all)).map(({ name }) => String(name)).filter((name) => name.startsWith('own_'))
  }

  /** The rows added or removed since a dump: none when nothing was written. */
  async changesSince(before: ReadonlySet<string>): Promise<string[]> {
    return [...before.symmetricDifference(await this.dump())].map((row) => row.slice(0, 200))
  }

  /** The address of the database for the service's own role on PostgreSQL. */
  databaseUrl(): string {
    if (this.#databaseUrl === undefined) throw new Error('the records are not on PostgreSQL')
    return this.#databaseUrl
  }

  /** Runs a statement directly on the database, bypassing the service; returns its rows. */
  query(text: string): Promise<Rows> {
    return this.#door.query(text)
  }
}

export interface WorldOptions {
  /**
   * Its database was never closed before, and its role and settings are its own: no copy of a template, which has
   * neither.
   */
  readonly isNew?: boolean
  /** No other world has its setup: it is applied to a copy of a migrated place, and no template is made of it. */
  readonly isOnly?: boolean
  /** Further database files to attach beside SQLite's own, each as `name=file`. */
  readonly attached?: readonly string[]
  readonly queryTimeoutMs?: number
  /** Statements that PostgreSQL's superuser runs in the new database before the application starts. */
  readonly prepare?: string
  /** Where file contents are stored; by default in the folder of the world. */
  readonly files?: string
  readonly rendersPdf?: boolean
  /** Where administrators take backups. */
  readonly backups?: string
  readonly rateLimits?: RateLimits
  /** By default none. */
  readonly agentLimits?: RateLimits
  readonly agentServer?: ServerFactory
  readonly trustedProxies?: readonly string[]
  readonly allowedOrigins?: readonly string[]
  /** By default that of the machine, where receivers of tests are. */
  readonly webhookNetworks?: readonly string[]
  /** Queries that take longer are logged as slow; 0 for all. */
  readonly slowQueryMs?: number
  readonly clock?: () => Date
  /** See `ApplicationSettings`. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>
  /** The clock by which addresses are limited. */
  readonly elapsedMs?: () => number
  /** See `ApplicationSettings`. */
  readonly secretPaceMs?: number
  /** The PostgreSQL server, as its superuser; by default that of the test run. */
  readonly admin?: string
  /** The URL of the replica of a database. */
  readonly replicaOf?: (database: string) => string
  /** Generates the ids of documents. */
  readonly newId?: () => string
  /** Gets each request that has ended. */
  readonly logRequest?: LogRequest
}

/** Starts the application on a new store. `stop` removes everything again. */
export async function startWorld(
  kind: StoreKind,
  setup = 'test/fixtures/company.yaml',
  basePath = '',
  { attached, queryTimeoutMs, prepare, admin, replicaOf, isNew, isOnly, ...options }: WorldOptions = {},
): Promise<World & { stop(): Promise<void> }> {
  const observed: Observation[] = []
  const pooler = kind === 'postgres' ? process.env.TEST_POOLER : undefined
  const filling = { setup, prepare, attached }
  const isMade = isNew || admin !== undefined || CLUSTER.length > 0
  const isCopied = !pooler && !isMade && !isOnly
  // The database is migrated directly, and the setup applied through the pooler.
  const bare = () => (pooler || !isMade ? migratedPlace(kind) : newPlace(kind, admin))
  const place = await (isCopied ? filledPlace(kind, filling) : bare())
  const { data, database } = place
  if (!isCopied && database && prepare) await queryOn(asSuperuser(database), prepare)
  const start = (applied: string | undefined) =>
    buildApplication({
      ...reachedThrough(pooler, place),
      readDatabase: replicaOf?.(database ?? ''),
      attached,
      queryTimeoutMs,
      setup: applied,
      basePath,
      webhookNetworks: ['loopback'],
      // Background writes of denied accesses would change what a test reads or compares.
      deniedAccessDelayMs: 3_600_000,
      agentLimits: {},
      // Rendering a thumbnail takes longer on a busy machine.
      thumbnailMs: 60_000,
      ...options,
      observe: (observation) => observed.push(observation),
      onFatal: () => {},
    })
  const servers: [Application, ...Application[]] = [await start(isCopied ? undefined : setup)]
  // One server applies the setup: the rules of the other one would be older for a moment.
  if (pooler) servers.push(await start(undefined))
  const door = database ? connectToPostgres(asSuperuser(database)) : connectToSqlite(join(data, 'tabularium.db'))
  const world = new World(servers, observed, data, door, database)
  const stop = async () => {
    for (const server of servers) await server.stop(0)
    await door.close()
    rmSync(data, { recursive: true, force: true })
  }
  return Object.assign(world, { stop })
}

/** The settings of a service on a place, if need be behind the pooler that listens on a port. */
function reachedThrough(pooler: string | undefined, { data, database }: StoredPlace) {
  if (!database || !pooler) return { data, database }
  return { data, database: Object.assign(new URL(database), { port: pooler }).href, isPooled: true }
}

/** How the requests of a world are sent. */
type Sending = (world: World) => World['send']

let sending: Sending | undefined

/** Tests that are declared meanwhile send their requests in another way, on one kind of store. */
export async function declaredWith(other: Sending, declare: () => Promise<unknown>): Promise<void> {
  sending = other
  try {
    await declareOn(STORE_KINDS.slice(0, 1), declare)
  } finally {
    sending = undefined
  }
}

let declaredKinds = STORE_KINDS

/** Tests that are declared meanwhile run on these kinds of store. */
export async function declareOn(kinds: StoreKind[], declare: () => Promise<unknown>): Promise<void> {
  declaredKinds = kinds
  try {
    await declare()
  } finally {
    declaredKinds = STORE_KINDS
  }
}

/** Declares the tests once per kind of store, each with a world of its own. */
export function onEachStore(
  title: string,
  declare: (world: () => World, kind: StoreKind) => void,
  start: (kind: StoreKind) => ReturnType<typeof startWorld> = startWorld,
  kinds: readonly StoreKind[] = declaredKinds,
): void {
  const sendingOfIt = sending
  describe.each(kinds)(`${title} on %s`, (kind) => {
    let world: Awaited<ReturnType<typeof startWorld>> | undefined
    beforeAll(async () => {
      world = await start(kind)
      if (sendingOfIt !== undefined) Object.assign(world, { send: sendingOfIt(world) })
    })
    afterAll(async () => world?.stop())
    declare(() => {
      if (!world) throw new Error('the world has not started')
      return world
    }, kind)
  })
}
