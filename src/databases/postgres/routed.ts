// Whether every statement of the service reaches the shard of its company alone, by the plans that the database makes.

import { textLiteral } from '../../sql/dialect.ts'
import { compileStatement, declaredStatements } from '../../sql/statement.ts'
import type { DistributeTask, Distribution } from '../driver.ts'
import { postgresDialect } from './dialect/dialect.ts'
import type { CopySession } from './tables/table-file.ts'

interface Explained {
  readonly name: string
  readonly companyId: string
  readonly text: string
  /** Given the place of a parameter and its type. */
  valueAt(at: number, type: string): string
}

export async function unroutedStatements(
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
