// A database session, bound to one company by row-level security.

import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import type { CompiledQuery } from '../../../compile/compiled-query.ts'
import { type CompiledStatement, compileStatement, type Statement } from '../../../statement.ts'
import type { Snapshot } from '../../../store.ts'
import { queryAbandoned } from '../../../store-fault.ts'
import type { Dialect, SqlValue } from '../../dialect.ts'
import { postgresDialect } from '../dialect.ts'
import type { Guard } from './guard-session.ts'

export type Session = pg.PoolClient & {
  company?: string
  /** The id of the database's backend process. */
  backendId?: number
  queries?: PreparedQueries
  guard?: Guard
}

const compiledStatements = new WeakMap<Statement<never, unknown>, CompiledStatement>()

export function compiledOf(declared: Statement<never, unknown>): CompiledStatement {
  let compiled = compiledStatements.get(declared)
  if (!compiled) {
    compiled = compileStatement(postgresDialect, declared)
    compiledStatements.set(declared, compiled)
  }
  return compiled
}

/** Runs a fixed statement, which is prepared once in each session. It is sent before this function returns. */
export function execute<P extends Record<string, SqlValue>>(
  session: Session,
  declared: Statement<P, unknown>,
  values: P,
): Promise<pg.QueryResult> {
  const { text, names } = compiledOf(declared)
  const name = declared.isOfSetup ? preparedName(session, text) : declared.name
  return session.query({ name, text, values: names.map((parameter) => values[parameter]) })
}

/** The name under which the session has prepared a text, or will prepare it. */
function preparedName(session: Session, text: string): string {
  session.queries ??= new PreparedQueries(session)
  return session.queries.nameOf(text)
}

/** The single value that a query returns, with the change number of the snapshot that the statement reads. */
export async function valueIn(session: Session, companyId: string, query: CompiledQuery): Promise<Snapshot<unknown>> {
  const [content, changeNumber] = await rowIn(session, numbered(query), [...query.parameters, companyId])
  return { content, changeNumber: Number(changeNumber ?? 0) }
}

/** The texts of queries with the change number beside their value. */
const numberedTexts = new WeakMap<CompiledQuery, string>()

function numbered(query: CompiledQuery): string {
  let text = numberedTexts.get(query)
  if (text === undefined) {
    const company = `$${query.parameters.length + 1}`
    text = `select answer.*, (select last_entry from journal_counter where company_id = ${company}) from (${query.text}) answer`
    numberedTexts.set(query, text)
  }
  return text
}

async function rowIn(session: Session, text: string, values: readonly SqlValue[]): Promise<readonly unknown[]> {
  const name = preparedName(session, text)
  const { rows } = await session.query<unknown[]>({ name, text, values: [...values], rowMode: 'array' })
  return rows[0] ?? []
}

/** The single number that a query returns. */
export async function countIn(session: Session, compile: (dialect: Dialect) => CompiledQuery): Promise<number> {
  const { text, parameters } = compile(postgresDialect)
  const [count] = await rowIn(session, text, parameters)
  return Number(count)
}

/**
 * Binds a pooled session to a company. A session remembers the last one, so that the usual case costs nothing. Later
 * statements run for that company, so callers need not await this first.
 */
export async function bindTo(session: Session, companyId: string): Promise<void> {
  if (session.company === companyId) return
  session.company = companyId
  try {
    await session.query({
      name: 'bind_company',
      text: `select set_config('tabularium.company', $1, false)`,
      values: [companyId],
    })
  } catch (error) {
    delete session.company
    throw error
  }
}

/** Each costs the database about 100 KB per session; beyond the limit the least recently used one is deallocated. */
const MAX_STATEMENTS = 100

/**
 * The queries that a session has as named prepared statements: the database parses such a text once, and plans it once
 * where a generic plan serves all values.
 */
class PreparedQueries {
  readonly #names: LRUCache<string, string>
  #count = 0

  constructor(session: Session) {
    this.#names = new LRUCache({ max: MAX_STATEMENTS, dispose: (name) => deallocate(session, name) })
  }

  /** A name is never reused, so that a statement whose deallocation failed causes no conflict. */
  nameOf(text: string): string {
    const known = this.#names.get(text)
    if (known !== undefined) return known
    this.#count += 1
    const name = `query_${this.#count}`
    this.#names.set(text, name)
    return name
  }
}

/** The prepared statements that `pg` tracks for a session; its types omit them. */
interface TrackedStatements {
  readonly connection: { readonly parsedStatements: Record<string, string> }
}

/** Not awaited: it runs before the session's next statement. */
function deallocate(session: Session, name: string): void {
  session.query(`deallocate ${name}`).catch(() => {})
  delete (session as unknown as TrackedStatements).connection.parsedStatements[name]
}

/** Cancels the statement of a query in the database when its caller no longer waits for the answer. */
export class QueryCanceller {
  readonly #pool: pg.Pool
  #isAbandoned = false
  #session: Session | undefined
  #cancelling: Promise<unknown> | undefined

  /**
   * `pool` has other sessions, which send the cancellation. `onAbandoned` registers what to do when the caller is gone.
   */
  constructor(pool: pg.Pool, onAbandoned: (stop: () => void) => void) {
    this.#pool = pool
    onAbandoned(() => this.#cancel())
  }

  /**
   * Runs a statement for as long as the caller waits. Resolves only when no late cancellation can reach the session's
   * next statement.
   */
  async run<T>(session: Session, statement: () => Promise<T>): Promise<T> {
    if (this.#isAbandoned) throw queryAbandoned()
    this.#session = session
    try {
      return await statement()
    } catch (error) {
      throw this.#isAbandoned ? queryAbandoned(error) : error
    } finally {
      this.#session = undefined
      await this.#cancelling
    }
  }

  #cancel(): void {
    this.#isAbandoned = true
    if (!this.#session) return
    const cancel = { text: 'select pg_cancel_backend($1)', values: [this.#session.backendId] }
    this.#cancelling = this.#pool.query(cancel).catch(() => {})
  }
}
