// The store on PostgreSQL. A session is bound to one company by row-level security before it runs a statement, and a
// write locks its company's journal counter first, so that writes of one company happen one after the other.
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Clock } from '../../../base/clock.ts'
import type { StoreFigures } from '../../../observe/figures.ts'
import type { Expressions } from '../../compile/expressions.ts'
import { startCounter, withJournal, withJournals } from '../../journal.ts'
import { migrateToLatest } from '../../migrations/migrate.ts'
import { begun } from '../../pieces.ts'
import type { SqlValue, Statement } from '../../statement.ts'
import type {
  Actor,
  CollectionQuery,
  CompiledQuery,
  OwnTable,
  Pieces,
  ReadTx,
  SetupTx,
  Store,
  TableColumn,
  Tx,
} from '../../store.ts'
import { queryTooLong } from '../../store-fault.ts'
import { postgresExpressions } from './expressions.ts'
import { CommitFailed, isTimeout, sessionsBusy, translate } from './faults.ts'
import { shapeTable, tableColumns } from './own-tables.ts'
import { piecesOf } from './pieces.ts'
import { bindTo, countIn, execute, PostgresTx, type Session } from './session.ts'
import { SessionLine } from './session-line.ts'

export interface PostgresOptions {
  readonly url: string
  /** How long a query may take. */
  readonly queryTimeoutMs: number
  readonly clock: Clock
  readonly figures: StoreFigures
  /** Told about what an administrator should mend, such as a role that row-level security does not hold. */
  onWarning(message: string): void
}

const POOL_SIZE = 10
const ACQUIRE_TIMEOUT_MS = 2_000
/**
 * A statement that runs longer is stopped by the database; a lock is waited for less, an idle transaction ended. By SQL,
 * because options in the address would replace options given beside it.
 */
const SESSION = "set lock_timeout = '5s'; set idle_in_transaction_session_timeout = '10s'"

export const POSTGRES_TYPES = {
  text: `text collate "C" not null default ''`,
  integer: 'bigint not null default 0',
  number: 'double precision not null default 0',
  json: `json not null default '[]'`,
  tail: '',
  rowLevelSecurity: true,
  wordIndex: [
    `alter table document_text add column words tsvector not null default ''`,
    'create index document_text_words on document_text using gin (words)',
  ],
}

/** Integers of ours stay below 2^53, so a bigint is read as a number; JSON is read as the text it is. */
const TYPES = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === pg.types.builtins.INT8) return Number
    if (oid === pg.types.builtins.JSON) return String
    return pg.types.getTypeParser(oid, format as 'text')
  },
} as pg.CustomTypesConfig

/** Connects, brings the schema up to date and checks that commits are really durable. */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const config: pg.PoolConfig = {
    connectionString: options.url,
    max: POOL_SIZE,
    connectionTimeoutMillis: ACQUIRE_TIMEOUT_MS,
    options: '-c synchronous_commit=on',
    application_name: 'tabularium',
    types: TYPES,
    // Waited for before the session is handed out.
    onConnect: async (client) => {
      client.on('error', ignoreLostSession)
      await client.query(`${SESSION}; set statement_timeout = ${options.queryTimeoutMs}`)
    },
  }
  const pool = new pg.Pool(config)
  // Whether the database answers must not wait until one of the others is free.
  const probe = new pg.Pool({ ...config, max: 1 })
  for (const one of [pool, probe]) one.on('error', ignoreLostSession)
  try {
    await requireDurable(pool, options)
    await migrateToLatest(new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) }), POSTGRES_TYPES)
    return new PostgresStore(pool, probe, options)
  } catch (error) {
    await Promise.all([pool.end(), probe.end()])
    throw error
  }
}

/** A session that the database ends is told by the statement that needs it; the pool replaces it. */
function ignoreLostSession(): void {}

async function requireDurable(pool: pg.Pool, options: PostgresOptions): Promise<void> {
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    const { rows } = await pool.query<Record<string, string>>(`show ${setting}`)
    if (rows[0]?.[setting] === 'off')
      throw new Error(`PostgreSQL runs with ${setting} = off: acknowledged writes could be lost`)
  }
  const { rows } = await pool.query<{ free: boolean }>(
    'select rolsuper or rolbypassrls as free from pg_roles where rolname = current_user',
  )
  if (rows[0]?.free) options.onWarning('the database role bypasses row-level security; use an ordinary role')
}

/** Larger answers are fetched piece by piece. */
const WHOLE_ANSWER_ROWS = 2_000

class PostgresStore implements Store {
  readonly #pool: pg.Pool
  readonly #line: SessionLine
  readonly #probe: pg.Pool
  readonly #clock: Clock
  readonly #figures: StoreFigures

  readonly #queryTimeoutMs: number

  constructor(pool: pg.Pool, probe: pg.Pool, { clock, figures, queryTimeoutMs }: PostgresOptions) {
    this.#pool = pool
    this.#line = new SessionLine(pool)
    this.#probe = probe
    this.#clock = clock
    this.#figures = figures
    figures.pool = () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    })
    this.#queryTimeoutMs = queryTimeoutMs
  }

  reading(companyId: string): ReadTx {
    return {
      companyId,
      first: async (declared, values) =>
        (await this.#inSession(companyId, (session) => execute(session, declared, values))).rows[0] as never,
      all: async (declared, values) =>
        (await this.#inSession(companyId, (session) => execute(session, declared, values))).rows as never,
      count: (compile) => this.#inSession(companyId, (session) => countIn(session, compile)),
    }
  }

  write<T>(companyId: string, actor: Actor, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#inTransaction(companyId, async (session) =>
      withJournal(await this.#begin(session, companyId, actor), work),
    )
  }

  async tally<P extends Record<string, SqlValue>, Row>(declared: Statement<P, Row>, values: P): Promise<Row[]> {
    return (await this.#inSession('', (session) => execute(session, declared, values))).rows as Row[]
  }

  writeSetup<T>(actor: Actor, work: (tx: SetupTx) => Promise<T>): Promise<T> {
    return this.#inTransaction('', (session) => {
      const begin = async (companyId: string) => {
        await bindTo(session, companyId)
        await execute(session, startCounter, { companyId })
        return this.#begin(session, companyId, actor)
      }
      const shape = (table: OwnTable) => shapeTable(session, table)
      return withJournals(begin, (beginIn) => work({ in: beginIn, shape }))
    })
  }

  async count(companyId: string, compile: (engine: Expressions) => CompiledQuery): Promise<number> {
    return this.#timed(() => this.#inSession(companyId, (session) => countIn(session, compile)))
  }

  collect(companyId: string, query: CollectionQuery): Promise<string | Pieces> {
    return this.#timed(() => this.#collect(companyId, query))
  }

  async #collect(companyId: string, { format, cells, compile }: CollectionQuery): Promise<string | Pieces> {
    if (format === 'json') {
      const query = compile(postgresExpressions, 'array')
      if (query.reach.most <= WHOLE_ANSWER_ROWS) return String(await this.#oneValue(companyId, query))
    }
    const query = compile(postgresExpressions, format === 'csv' ? 'cells' : 'rows')
    const session = await this.#connect(companyId)
    return begun(piecesOf(session, query, { format, cells }, (error) => this.#faultOf(error)))
  }

  columnsOf(table: string): Promise<readonly TableColumn[] | undefined> {
    return this.#inSession('', (session) => tableColumns(session, table))
  }

  integrity(): undefined {}

  async ping(): Promise<void> {
    await this.#probe.query('select 1').catch((error: unknown) => {
      throw this.#faultOf(error)
    })
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.end(), this.#probe.end()])
  }

  #begin(session: Session, companyId: string, actor: Actor): Promise<Tx> {
    return new PostgresTx(session, companyId, actor, this.#clock().toISOString()).next()
  }

  async #oneValue(companyId: string, { text, parameters }: CompiledQuery): Promise<unknown> {
    const { rows } = await this.#inSession(companyId, (session) =>
      session.query({ text, values: [...parameters], rowMode: 'array' }),
    )
    return rows[0]?.[0]
  }

  #faultOf(error: unknown): unknown {
    if (isTimeout(error)) {
      this.#figures.refuse('query-too-long')
      return queryTooLong(this.#queryTimeoutMs, error)
    }
    const fault = translate(error)
    if (fault !== error) this.#figures.refuse('unavailable')
    return fault
  }

  async #timed<T>(work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now()
    const result = await work()
    this.#figures.queries.database.add(performance.now() - startedAt)
    return result
  }

  async #connect(companyId: string): Promise<Session> {
    if (this.#line.isTooLong) {
      this.#figures.refuse('unavailable')
      throw sessionsBusy()
    }
    let session: Session | undefined
    try {
      session = await this.#pool.connect()
      await bindTo(session, companyId)
      return session
    } catch (error) {
      session?.release(true)
      throw this.#faultOf(error)
    }
  }

  async #inSession<T>(companyId: string, work: (session: Session) => Promise<T>): Promise<T> {
    const session = await this.#connect(companyId)
    try {
      const result = await work(session)
      this.#line.move()
      session.release()
      return result
    } catch (error) {
      const fault = this.#faultOf(error)
      // A session whose state is in doubt is thrown away.
      session.release(fault !== error)
      throw fault
    }
  }

  #inTransaction<T>(companyId: string, work: (session: Session) => Promise<T>): Promise<T> {
    const { waiting, running, committing } = this.#figures.writes
    const askedAt = performance.now()
    return this.#inSession(companyId, async (session) => {
      await session.query('begin')
      const begunAt = performance.now()
      waiting.add(begunAt - askedAt)
      try {
        const result = await work(session)
        const doneAt = performance.now()
        running.add(doneAt - begunAt)
        await session.query('commit').catch((cause: unknown) => {
          throw new CommitFailed('the commit failed', { cause })
        })
        committing.add(performance.now() - doneAt)
        return result
      } catch (error) {
        await session.query('rollback').catch(() => {})
        // set_config inside the transaction was undone with it.
        delete session.company
        throw error
      }
    })
  }
}
