// Where each table is in a database that the extension Citus distributes over several servers.
import { type CopySession, findTables } from '../copy/table-file.ts'

/**
 * `company`: by company, the rows of a company of all tables together. `everywhere`: as a copy on each server.
 * `coordinator`: on the server that has the catalogue.
 */
export type Placement = 'company' | 'everywhere' | 'coordinator'

/** Companies are placed as this table's are. It is the first, so that a database counts as distributed from then on. */
export const FIRST_TABLE = 'journal_counter'

const MIGRATION_TABLES = ['kysely_migration', 'kysely_migration_lock']
/** What belongs to no company and is changed by setups and upgrades alone: those need all servers. */
const EVERYWHERE = ['setup_item', 'setup_version', 'service_secret', ...MIGRATION_TABLES]

/** What belongs to no company and is written all the time: with copies everywhere no server could be missing. */
const ON_COORDINATOR = ['client_usage', 'serving_process', 'session', 'slow_query']

export function placementOf(table: string): Placement {
  if (EVERYWHERE.includes(table)) return 'everywhere'
  return ON_COORDINATOR.includes(table) ? 'coordinator' : 'company'
}

export interface PlacedTable {
  readonly name: string
  readonly placement: Placement
  /** Whether row-level security applies to its owner too. */
  readonly isForced: boolean
  readonly isDone: boolean
}

const STATE = `
  select c.relname as "name", c.relforcerowsecurity as "isForced", c.oid = any($2::oid[]) as "isDone"
  from pg_class c where c.relname = any($1) and c.relkind = 'r' and pg_table_is_visible(c.oid)`

const DISTRIBUTED = 'select logicalrelid::oid as id from pg_dist_partition'

/** All tables in the order in which they are distributed. */
export async function findPlacedTables(session: CopySession): Promise<PlacedTable[]> {
  const names = [...(await findTables(session)).map(({ name }) => name), ...MIGRATION_TABLES]
  const done = await distributedIds(session)
  const { rows } = await session.query<Omit<PlacedTable, 'placement'>>(STATE, [names, done])
  const placed = rows.map((row) => ({ ...row, placement: placementOf(row.name) }))
  const rank = ({ name }: PlacedTable) => (name === FIRST_TABLE ? '' : name)
  return placed.sort((one, other) => (rank(one) < rank(other) ? -1 : 1))
}

/** Whether the companies of this database are on several servers. */
export async function isDistributed(session: CopySession): Promise<boolean> {
  const { rows } = await session.query<{ id: number }>('select to_regclass($1)::oid as id', [FIRST_TABLE])
  return (await distributedIds(session)).includes(rows[0]?.id ?? 0)
}

/** Throws when some tables are distributed and others are not: statements over both would fail. */
export async function requireWhole(session: CopySession): Promise<void> {
  if (!(await isDistributed(session))) return
  const missing = (await findPlacedTables(session)).filter(({ isDone }) => !isDone).map(({ name }) => name)
  if (missing.length === 0) return
  throw new Error(
    `the database is distributed in part (not ${missing.join(', ')}): run \`tabularium distribute\` again`,
  )
}

/** None where the extension is not there. */
async function distributedIds(session: CopySession): Promise<number[]> {
  const { rows } = await session.query<{ isThere: boolean }>(
    `select to_regclass('pg_dist_partition') is not null as "isThere"`,
  )
  if (!rows[0]?.isThere) return []
  return (await session.query<{ id: number }>(DISTRIBUTED)).rows.map(({ id }) => id)
}
