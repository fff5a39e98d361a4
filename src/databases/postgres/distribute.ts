// Distributes a database over several servers, table by table. It may be ended at any moment and run again: a table is
// moved in one transaction, and those that were are left alone.
import { quote, textLiteral } from '../../sql/dialect.ts'
import { TEXT_INDEX_PREFIX } from '../../sql/setup-index.ts'
import { compileStatement, declaredStatements } from '../../sql/statement.ts'
import type { DistributeTask, Distribution } from '../driver.ts'
import { unmetConditions } from './conditions.ts'
import { postgresDialect } from './dialect/dialect.ts'
import { dropTextIndex } from './dialect/text-index.ts'
import { isSetUp } from './dump.ts'
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

interface Explained {
  readonly name: string
  readonly companyId: string
  readonly text: string
  /** Given the place of a parameter and its type. */
  valueAt(at: number, type: string): string
}

/**
 * Whether every statement of the service reaches the shard of its company alone, by the plans that the database makes.
 */
async function unroutedStatements(
  session: CopySession,
  task: Pick<DistributeTask, 'queries' | 'progress'>,
): Promise<Pick<Distribution, 'statements' | 'unrouted'>> {
  const all = [...fixedStatements(task), ...documentQueries(task)]
  const unrouted: string[] = []
  for (const [at, one] of all.entries()) {
    const reason = await reasonIfUnrouted(session, one)
    if (reason !== undefined) unrouted.push(`${one.name}: ${reason}`)
    task.progress(at, all.length)
  }
  return { statements: all.length, unrouted }
}

function fixedStatements({ queries: [query] }: Pick<DistributeTask, 'queries'>): Explained[] {
  const companyId = query?.companyId ?? ''
  return declaredStatements().map((declared) => {
    const { text, names } = compileStatement(postgresDialect, declared)
    return { name: declared.name, companyId, text, valueAt: (at, type) => sampleOf(names[at] ?? '', type, companyId) }
  })
}

function documentQueries({ queries }: Pick<DistributeTask, 'queries'>): Explained[] {
  return queries.map(({ name, companyId, query }) => ({
    name,
    companyId,
    text: query.text,
    valueAt: (at) => String(query.parameters[at]),
  }))
}

function sampleOf(name: string, type: string, companyId: string): string {
  if (name === 'companyId' || name === 'company_id') return companyId
  if (type.endsWith('[]')) return '{}'
  if (type === 'json' || type === 'jsonb') return '[]'
  return type === 'text' || type === 'bytea' ? '' : '1'
}

/** Explains the statement to the owner of the tables, to whom row-level security does not apply. */
async function reasonIfUnrouted(session: CopySession, explained: Explained): Promise<string | undefined> {
  await session.query('begin')
  try {
    const text = await withLiterals(session, explained)
    const { rows } = await session.query<string[]>({ text: `explain (costs off) ${text}`, rowMode: 'array' })
    const tasks = rows.flatMap(([line = '']) => /Task Count: (\d+)/.exec(line)?.[1] ?? [])
    const most = Math.max(1, ...tasks.map(Number))
    return most > 1 ? `asks ${most} shards` : undefined
  } catch (error) {
    return (error as Error).message
  } finally {
    await session.query('rollback')
  }
}

const TYPES = "select parameter_types::text[] as types from pg_prepared_statements where name = 'explained'"

/** The extension explains no statement with parameters on other servers. */
async function withLiterals(session: CopySession, { text, valueAt }: Explained): Promise<string> {
  await session.query(`prepare explained as ${text}`)
  const { rows } = await session.query<{ types: string[] }>(TYPES)
  await session.query('deallocate explained')
  const literals = (rows[0]?.types ?? []).map((type, at) => `${textLiteral(valueAt(at, type))}::${type}`)
  return text.replace(/\$(\d+)/g, (_placeholder, place) => `(${literals[Number(place) - 1]})`)
}
