import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { linesOf } from '../../base/lines.ts'
import { metricsOfReplica } from '../../observe/store-metrics.ts'
import type { ReplayPlace, Replica } from '../../store/replica-watch.ts'
import type { Store } from '../../store/store.ts'
import type { CheckTask, Driver, Location, OpenSettings } from '../driver.ts'
import { lackingEntries } from '../lacking-entries.ts'
import { checkServer } from './check.ts'
import { distributeTables } from './distribute.ts'
import { dumpTables, isSetUp } from './dump.ts'
import { openEmptyDatabase } from './load.ts'
import { openReadOnlyDatabase } from './open-read-only.ts'
import { rewriteTables } from './rewrite.ts'
import { openPools } from './sessions/pools.ts'
import { inSnapshot, withSession } from './sessions/reading-session.ts'
import { reportUnlimited, requireDurable, requireReachable } from './sessions/require-usable.ts'
import { PostgresStore } from './store.ts'
import { grantService } from './tables/grant-service.ts'
import { migrateSchema, requireSchema } from './tables/migrate-schema.ts'
import { requireWhole } from './tables/placed-tables.ts'
import { withSchemaRights } from './tables/schema-rights.ts'
import { fileOf, readHeader, readRow, type TableHeader } from './tables/table-file.ts'
import { requireVisibleRows } from './tables/visible-rows.ts'
import { isPostgresUrl } from './url.ts'

/** No such table, no such column. */
const OLDER_SCHEMA = ['42P01', '42703']

export const postgresDriver: Driver = {
  name: 'postgres',
  title: 'PostgreSQL',
  restoreHint: 'name an empty database with --database',
  serves: (url) => url !== undefined && isPostgresUrl(url),
  openStore: (settings) => openPostgresStore(urlOf(settings), settings),
  openReplica: (settings, replicaUrl) => openPostgresReplica(urlOf(settings), replicaUrl, settings),
  openReadOnly: (location) => openReadOnlyDatabase(urlOf(location)),
  isOlderSchema: (error) => OLDER_SCHEMA.includes((error as { code?: string }).code ?? ''),
  isSetUp: (location) => withSession(urlOf(location), 'tabularium', isSetUp),
  requireSetUp: async (location) => {
    if (!(await postgresDriver.isSetUp(location))) throw new Error('no company is set up in the database')
  },
  copy: (task) => dumpTables(task, urlOf(task)),
  checkCopy: checkTables,
  openRestoreTarget: (location, migrations, validateOnly) =>
    openEmptyDatabase(urlOf(location), migrations, validateOnly),
  checkIntegrity: (task) => checkServer(task, urlOf(task)),
  distribute: (task) => distributeTables(task, urlOf(task)),
  grantService: (location, role) => grantService(urlOf(location), role),
  rewrite: (location) => rewriteTables(urlOf(location)),
}

function urlOf({ database = '' }: Location): string {
  return database
}

/** Connects, migrates the schema and checks that commits are durable. */
async function openPostgresStore(url: string, settings: OpenSettings): Promise<Store> {
  await requireReachable(url, settings.observe)
  const pools = openPools(url, settings)
  const { pool, probe } = pools
  try {
    await requireDurable(pool)
    if (settings.isPooled) await requireSchema(pool, settings.observe)
    else await withSchemaRights(pool, () => migrateSchema(url, settings.observe))
    await withSession(url, 'tabularium start', async (session) => {
      await requireWhole(session)
      await inSnapshot(session, () => requireVisibleRows(session))
    })
    await reportUnlimited(pool, settings)
    return new PostgresStore(pools, url, settings)
  } catch (error) {
    await Promise.all([pool.end(), probe.end()])
    throw error
  }
}

/** A replica has the schema of its primary, so nothing is migrated. */
function openPostgresReplica(primaryUrl: string, url: string, settings: OpenSettings): Replica {
  const pools = openPools(url, settings)
  const metrics = metricsOfReplica(settings.metrics)
  return watchedReplica(new PostgresStore(pools, url, { ...settings, metrics }), primaryUrl, url)
}

/**
 * Checks without a database that every file has all its rows, each complete, and each company the entries that its
 * counter says.
 */
async function checkTables({ folder, copy, report }: CheckTask): Promise<boolean> {
  const entries = new EntryCounts()
  for (const [table, rows] of Object.entries(copy.tables)) {
    const file = fileOf(table)
    try {
      const lines = linesOf(createReadStream(join(folder, file)))
      const header = readHeader(file, (await lines.next()).value ?? undefined)
      let found = 0
      for await (const line of lines) {
        entries.add(header, readRow(header, line))
        found++
      }
      if (found !== rows) report(`the table ${table} has ${found} rows instead of ${rows}`)
    } catch (error) {
      report((error as Error).message)
    }
  }
  for (const fault of entries.faults()) report(fault)
  return false
}

/** The entries of the change log by company. */
class EntryCounts {
  readonly #found = new Map<string, number>()
  readonly #counted = new Map<string, number>()

  add({ table, columns }: TableHeader, row: readonly (string | null)[]): void {
    if (table !== 'journal_counter' && table !== 'journal_entry') return
    const textOf = (column: string) => row[columns.indexOf(column)] ?? ''
    const company = textOf('company_id')
    // A schema of an early version has no count.
    if (table === 'journal_counter') this.#counted.set(company, Number(textOf('entry_count')))
    else this.#found.set(company, this.#foundOf(company) + 1)
  }

  faults(): string[] {
    const faults = [...this.#counted].map(([company, counted]) =>
      lackingEntries({ company, counted, found: this.#foundOf(company) }),
    )
    return faults.filter((fault) => fault !== undefined)
  }

  #foundOf(company: string): number {
    return this.#found.get(company) ?? 0
  }
}

// A streaming replica: a server that replays the log of the one that is written to.

const CONNECT_MS = 2_000

interface Place {
  readonly cluster: string
  readonly is_replica: boolean
  readonly place: string
}

/** The identifier is that of the files: a copy that is made row by row has another one. */
function placeText(place: string): string {
  return `select system_identifier::text as cluster, pg_is_in_recovery() as is_replica, pg_wal_lsn_diff(${place}, '0/0')::text as place from pg_control_system()`
}

const PRIMARY = placeText('pg_current_wal_lsn()')
const REPLICA = placeText('pg_last_wal_replay_lsn()')

/** Does not wait for the replica, which may come later. `store`: of the replica. */
function watchedReplica(store: Store, primaryUrl: string, replicaUrl: string): Replica {
  const [primary, replica] = [poolOf(primaryUrl), poolOf(replicaUrl)]
  let cluster = ''
  return {
    store,
    placeOfPrimary: async () => {
      const found = await placeIn(primary, PRIMARY)
      cluster = found.cluster
      return numberOf(found)
    },
    placeOfReplica: async () => {
      const found = await placeIn(replica, REPLICA)
      if (!found.is_replica) throw new Error('it is no replica')
      if (found.cluster !== cluster) throw new Error('it is a replica of another database')
      return numberOf(found)
    },
    close: async () => {
      await Promise.all([primary.end(), replica.end(), store.close()])
    },
  }
}

function poolOf(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
    application_name: 'tabularium replica',
  })
  // The loss of an idle session is found by the next question.
  pool.on('error', () => {})
  return pool
}

async function placeIn(pool: pg.Pool, text: string): Promise<Place> {
  const { rows } = await pool.query<Place>(text)
  const [place] = rows
  if (!place) throw new Error('the database does not tell its place')
  return place
}

/** Bytes since the beginning, which stay below 2^53 for some centuries. */
function numberOf({ place }: Place): ReplayPlace {
  return Number(place)
}
