// Distributes a database over several servers, table by table. It may be ended at any moment and run again: a table is
// moved in one transaction, and those that were are left alone.

import { quote } from '../../sql/dialect.ts'
import { TEXT_INDEX_PREFIX } from '../../sql/setup-index.ts'
import type { DistributeTask, Distribution } from '../driver.ts'
import { unmetConditions } from './conditions.ts'
import { dropTextIndex } from './dialect/text-index.ts'
import { isSetUp } from './dump.ts'
import { unroutedStatements } from './routed.ts'
import { withSession } from './sessions/reading-session.ts'
import { migrateSchema } from './tables/migrate-schema.ts'
import { findPlacedTables, freeOwner, moveTable, type PlacedTable } from './tables/placed-tables.ts'
import type { CopySession } from './tables/table-file.ts'

/** The lock that migrations take: whoever starts meanwhile waits, or gives up. */
const MIGRATION_LOCK = '3853314791062309107'

export async function distributeTables(task: DistributeTask, url: string): Promise<Distribution> {
  return withSession(url, 'tabularium distribute', async (session) => {
    if (!(await isSetUp(session))) throw new Error('there are no records of Tabularium in the database')
    const unmet = await unmetConditions(session)
    if (task.isDryRun) return { ...(await preview(session, task)), unmet }
    if (unmet.length > 0) return { tables: 0, servers: 0, statements: 0, unrouted: [], unmet }
    await migrateSchema(url, task.observe)
    await lock(session)
    await dropTextIndexes(session)
    const tables = await findPlacedTables(session)
    for (const [at, table] of tables.entries()) {
      task.progress(at, tables.length)
      task.report(await distributeTable(session, table))
    }
    const servers = await countServers(session)
    return { tables: tables.length, servers, ...(await unroutedStatements(session, task)), unmet: [] }
  })
}

async function preview(session: CopySession, { report }: DistributeTask) {
  const tables = await findPlacedTables(session)
  for (const index of await textIndexes(session)) report(`drop table ${quote(index)};`)
  for (const table of tables.filter(({ isDone }) => !isDone)) {
    report(['begin', ...freeOwner(table), ...moveTable(table), 'commit'].map((statement) => `${statement};`).join('\n'))
  }
  return { tables: tables.length, servers: 0, statements: 0, unrouted: [] }
}

async function lock(session: CopySession): Promise<void> {
  const { rows } = await session.query<{ taken: boolean }>('select pg_try_advisory_lock($1::bigint) as taken', [
    MIGRATION_LOCK,
  ])
  if (!rows[0]?.taken) throw new Error('the database is being distributed or upgraded: try again when that has ended')
}

/** Text indexes are maintained by triggers, which distributed tables do not have. */
async function dropTextIndexes(session: CopySession): Promise<void> {
  for (const index of await textIndexes(session)) await dropTextIndex(session, index)
}

async function textIndexes(session: CopySession): Promise<string[]> {
  const { rows } = await session.query<{ name: string }>(
    'select tablename as name from pg_tables where schemaname = current_schema() and starts_with(tablename, $1)',
    [TEXT_INDEX_PREFIX],
  )
  return rows.map(({ name }) => name)
}

/** Returns a line that says what was done. */
async function distributeTable(session: CopySession, table: PlacedTable): Promise<string> {
  const { name, isDone } = table
  if (isDone) return `${name}: is distributed`
  await session.query('begin')
  try {
    await session.query(`lock table ${quote(name)} in access exclusive mode`)
    for (const statement of freeOwner(table)) await session.query(statement)
    const before = await countRows(session, name)
    for (const statement of moveTable(table)) await session.query(statement)
    const after = await countRows(session, name)
    if (after !== before) throw new Error(`${name} had ${before} rows, and has ${after} after it was moved`)
    await session.query('commit')
    return `${name}: ${before} rows, ${PLACES[table.placement]}`
  } catch (error) {
    await session.query('rollback').catch(() => {})
    throw error
  }
}

const PLACES = {
  company: 'by company',
  everywhere: 'a copy on each server',
  coordinator: 'on the coordinator',
} as const

async function countRows(session: CopySession, table: string): Promise<number> {
  const { rows } = await session.query<{ count: string }>(`select count(*) from ${quote(table)}`)
  return Number(rows[0]?.count)
}

async function countServers(session: CopySession): Promise<number> {
  const { rows } = await session.query<{ count: number }>(
    "select count(*)::int as count from pg_dist_node where noderole = 'primary' and shouldhaveshards and isactive",
  )
  return rows[0]?.count ?? 0
}
