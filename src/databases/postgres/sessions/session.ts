// A session with the database, and how statements are sent on it.

import type pg from 'pg'
import { memo } from '../../../base/memo.ts'
import type { Bindable, Dialect, SqlValue } from '../../../sql/dialect.ts'
import type { BoundText, CompiledQuery } from '../../../sql/rows/compiled-query.ts'
import { compileStatement, type Statement } from '../../../sql/statement.ts'
import type { Snapshot } from '../../../store/store.ts'
import { postgresDialect } from '../dialect/dialect.ts'
import type { Guard } from './guard-session.ts'
import { sendBetween } from './pipelined-query.ts'
import type { SessionStatements } from './statements.ts'

/** Runs statements, each as its text or with its name. */
export interface Questions {
  readonly statements: SessionStatements
  /** `isOnePlan`: the database keeps one plan for all values. */
  query(query: pg.QueryConfig, isOnePlan?: boolean): Promise<pg.QueryResult>
}

export type Session = pg.PoolClient & {
  statements: SessionStatements
  /** Whether all tables are on the server of the session: none is on others. */
  isAlone?: boolean
  /** The id of the database's backend process. */
  backendId: Promise<number>
  guard: Guard
}

export const compiledOf = memo((declared: Statement<never, unknown>) => compileStatement(postgresDialect, declared))

/** The statements of an open transaction. */
export function inTransactionOf(session: Session): Questions {
  return { statements: session.statements, query: (query) => sendBetween(session, [], query, []) }
}

/** Runs a fixed statement. It is sent before this function returns. */
export function execute<P extends Record<string, Bindable>>(
  session: Questions,
  declared: Statement<P, unknown>,
  values: P,
): Promise<pg.QueryResult> {
  const { text, names } = compiledOf(declared)
  const name = session.statements.nameOf(text, declared.isOfSetup ? undefined : declared.name)
  return session.query(named(name, { text, values: names.map((parameter) => values[parameter]) }))
}

function named(name: string | undefined, query: pg.QueryConfig): pg.QueryConfig {
  return name === undefined ? query : { ...query, name }
}

/** The single value that a query returns, with the change number of the snapshot that the statement reads. */
export async function valueIn(session: Questions, companyId: string, query: CompiledQuery): Promise<Snapshot<unknown>> {
  const { onePlan } = query
  const isOnePlan = onePlan !== undefined && session.statements.isFrequent(onePlan.text)
  const asked = isOnePlan ? onePlan : query
  const [content, changeNumber] = await rowIn(session, numbered(asked), [...asked.parameters, companyId], isOnePlan)
  return { content, changeNumber: Number(changeNumber ?? 0) }
}

/** The texts of queries with the change number beside their value. */
const numbered = memo(({ text, parameters }: BoundText) => {
  const company = `$${parameters.length + 1}`
  return `select answer.*, (select last_entry from journal_counter where company_id = ${company}) from (${text}) answer`
})

async function rowIn(
  session: Questions,
  text: string,
  values: readonly SqlValue[],
  isOnePlan = false,
): Promise<readonly unknown[]> {
  const query = { text, values: [...values], rowMode: 'array' as const }
  const { rows } = await session.query(named(session.statements.nameOf(text), query), isOnePlan)
  return rows[0] ?? []
}

/** The single number that a query returns. */
export async function countIn(session: Questions, compile: (dialect: Dialect) => CompiledQuery): Promise<number> {
  const { text, parameters } = compile(postgresDialect)
  const [count] = await rowIn(session, text, parameters)
  return Number(count)
}

/** Sent before this function returns. */
export function readBackendId(session: Session): Promise<number> {
  const requested = session.query<{ id: number }>('select pg_backend_pid() as id')
  session.backendId = requested.then(({ rows }) => rows[0]?.id ?? 0)
  session.backendId.catch(() => {})
  return session.backendId
}
