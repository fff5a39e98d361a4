// Where each table is in a database that the extension Citus distributes over several servers.
import type pg from 'pg'

type Queryable = Pick<pg.ClientBase, 'query'>

/**
 * `company`: by company, the rows of a company of all tables together. `everywhere`: as a copy on each server.
 * `coordinator`: on the server that has the catalogue.
 */
export type Placement = 'company' | 'everywhere' | 'coordinator'

/** Companies are placed as this table's are. It is the first, so that a database counts as distributed from then on. */
export const FIRST_TABLE = 'journal_counter'

export const MIGRATION_TABLES = ['kysely_migration', 'kysely_migration_lock']
/** What belongs to no company and is changed by setups and upgrades alone: those need all servers. */
const EVERYWHERE = ['setup_item', 'setup_version', 'service_secret', ...MIGRATION_TABLES]

/** What belongs to no company and is written all the time: with copies everywhere no server could be missing. */
const ON_COORDINATOR = ['client_usage', 'serving_process', 'session', 'slow_query']

export function placementOf(table: string): Placement {
  if (EVERYWHERE.includes(table)) return 'everywhere'
  return ON_COORDINATOR.includes(table) ? 'coordinator' : 'company'
}

const DISTRIBUTED = 'select logicalrelid::oid as id from pg_dist_partition'

/** Whether the companies of this database are on several servers. */
export async function isDistributed(session: Queryable): Promise<boolean> {
  const { rows } = await session.query<{ id: number }>('select to_regclass($1)::oid as id', [FIRST_TABLE])
  return (await distributedIds(session)).includes(rows[0]?.id ?? 0)
}

/** None where the extension is not there. */
export async function distributedIds(session: Queryable): Promise<number[]> {
  const { rows } = await session.query<{ isThere: boolean }>(
    `select to_regclass('pg_dist_partition') is not null as "isThere"`,
  )
  if (!rows[0]?.isThere) return []
  return (await session.query<{ id: number }>(DISTRIBUTED)).rows.map(({ id }) => id)
}
