// A cluster of PostgreSQL servers with the extension Citus, which a run is given: every database of the tests is then
// distributed over it, and refuses whatever asks more than one shard.
import type { TestProject } from 'vitest/node'
import { distributeTables } from '../../src/databases/postgres/distribute.ts'
import { migrateSchema } from '../../src/databases/postgres/tables/migrate-schema.ts'
import { asSuperuser, queryOn } from './test-database.ts'

/** Addresses of the servers for their superuser, without a database; the coordinator first. */
export const CLUSTER: readonly string[] = (process.env.TABULARIUM_TEST_CITUS ?? '').split(/[\s,]+/).filter(Boolean)

/** Each table of each database has so many shards: creating them is what a test waits for. */
const SHARDS = 4
const PREFIX = 'tabularium_test_'
const TEMPLATE = `${PREFIX}template`
/** The owner of all databases, to whom row-level security applies until the tables are distributed. */
const ROLE = `${PREFIX}role`

/** Makes the database that those of tests are copies of. */
export async function prepareCluster(project: TestProject): Promise<() => Promise<void>> {
  const [coordinator = ''] = CLUSTER
  project.provide('postgresAdmin', coordinator)
  await dropDatabases()
  for (const server of CLUSTER) await createEmpty(server)
  await joinServers()
  const url = addressOf(TEMPLATE)
  await queryOn(`${coordinator}/postgres`, `alter role ${ROLE} set citus.shard_count = ${SHARDS}`)
  await migrateSchema(url, nothing)
  const quiet = { observe: nothing, progress: nothing, report: nothing }
  const { unmet } = await distributeTables({ data: '', isDryRun: false, queries: [], ...quiet }, url)
  if (unmet.length > 0) throw new Error(unmet.join('\n'))
  for (const server of CLUSTER) await freeze(server)
  await queryOn(`${coordinator}/postgres`, `alter role ${ROLE} set citus.multi_task_query_log_level = 'error'`)
  return dropDatabases
}

function nothing(): void {}

/** A distributed database without records; returns its address for its owner. */
export async function newDistributedDatabase(name: string): Promise<string> {
  const database = PREFIX + name
  const create = `create database ${database} template ${TEMPLATE} owner ${ROLE}`
  await Promise.all(CLUSTER.map((server) => queryOn(`${server}/postgres`, create)))
  return addressOf(database)
}

function addressOf(database: string): string {
  const url = new URL(CLUSTER[0] ?? '')
  url.username = ROLE
  url.password = 'secret'
  url.pathname = database
  return url.href
}

async function createEmpty(server: string): Promise<void> {
  await queryOn(
    `${server}/postgres`,
    `do $$ begin create role ${ROLE} login password 'secret'; exception when duplicate_object then null; end $$`,
    `create database ${TEMPLATE} owner ${ROLE}`,
  )
  await queryOn(`${server}/${TEMPLATE}`, 'create extension citus')
}

async function joinServers(): Promise<void> {
  const [coordinator, ...workers] = CLUSTER.map((server) => new URL(server))
  const nodeOf = ({ hostname, port }: URL) => `'${hostname}', ${port}`
  if (!coordinator) throw new Error('TABULARIUM_TEST_CITUS names no server')
  await queryOn(
    asSuperuser(addressOf(TEMPLATE)),
    `select citus_set_coordinator_host(${nodeOf(coordinator)})`,
    ...workers.map((worker) => `select citus_add_node(${nodeOf(worker)})`),
  )
}

/** A template must have no sessions: not those of the extension itself, which would start again. */
async function freeze(server: string): Promise<void> {
  await queryOn(
    `${server}/postgres`,
    `alter database ${TEMPLATE} allow_connections false`,
    `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${TEMPLATE}'`,
  )
}

async function dropDatabases(): Promise<void> {
  for (const server of CLUSTER) {
    const rows = await queryOn(
      `${server}/postgres`,
      `select datname as name from pg_database where starts_with(datname, '${PREFIX}')`,
    )
    await queryOn(`${server}/postgres`, ...rows.map(({ name }) => `drop database ${name} with (force)`))
  }
  const [coordinator = ''] = CLUSTER
  await queryOn(
    `${coordinator}/postgres`,
    `do $$ begin alter role ${ROLE} reset all; exception when undefined_object then null; end $$`,
  )
}
