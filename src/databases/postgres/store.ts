// The store on PostgreSQL. Every transaction is bound to one company by row-level security. A write locks its company's
// journal counter first, so that writes of a company are serialized.

import type pg from 'pg'
import { peekFirst } from '../../base/byte-stream.ts'
import type { Clock } from '../../base/clock.ts'
import type { Flow } from '../../base/concurrency/fair-queue.ts'
import { getOrInsert } from '../../base/memo.ts'
import type { Validity } from '../../base/validity.ts'
import { Problem } from '../../errors/problem.ts'
import type { StoreMetrics } from '../../observe/store-metrics.ts'
import type { Bindable } from '../../sql/dialect.ts'
import type { CompiledQuery } from '../../sql/rows/compiled-query.ts'
import type { DeclaredTable } from '../../sql/schema.ts'
import type { IndexChanges } from '../../sql/setup-index.ts'
import type { Statement } from '../../sql/statement.ts'
import { ROW_FORMS } from '../../store/answer-bytes.ts'
import { JournalMemory } from '../../store/chain/journal-memory.ts'
import { type JointParts, writeJointly } from '../../store/journal/joint-writes.ts'
import { startCounter, withJournal, withJournals } from '../../store/journal/journal.ts'
import { NewestEntries } from '../../store/newest-entries.ts'
import type { SlowQueries } from '../../store/slow-queries.ts'
import {
  type Actor,
  type ByteStream,
  type CollectionQuery,
  type CountQuery,
  flowOf,
  type JointWrite,
  type ReadTx,
  type SetupTx,
  type Snapshot,
  type StateTx,
  type Store,
  type TableColumn,
  type Tx,
} from '../../store/store.ts'
import { again, queryTooLong, rethrowWriteError } from '../../store/store-fault.ts'
import { type Reading, ReadTables, readVersions } from '../../store/table-versions.ts'
import type { OpenSettings } from '../driver.ts'
import { committedByOthers } from './committed-by-others.ts'
import { postgresDialect } from './dialect/dialect.ts'
import { ask, rebind } from './sessions/company-transaction.ts'
import { FadingMarks } from './sessions/fading-marks.ts'
import { isFault, isTimeout, translate } from './sessions/faults.ts'
import { TooLarge } from './sessions/guard-session.ts'
import { PipelinedReads } from './sessions/pipelined-reads.ts'
import type { Pools } from './sessions/pools.ts'
import { QueryCanceller } from './sessions/query-canceller.ts'
import { compiledOf, countIn, execute, type Questions, type Session, valueIn } from './sessions/session.ts'
import { Sessions } from './sessions/sessions.ts'
import { type InTransaction, SharedWrites } from './sessions/shared-writes.ts'
import { streamAnswer } from './sessions/stream.ts'
import { inSavepoint, inTransaction, PostgresStateTx, Transaction } from './sessions/transaction.ts'
import { whenFree } from './sessions/when-free.ts'
import { ensureTable, ensureUnique, tableColumns } from './tables/declared-tables.ts'
import { asOwner } from './tables/schema-rights.ts'
import { changeIndexes, setupIndexes } from './tables/setup-indexes.ts'
import { RowVersions } from './versions.ts'

/** Answers that may be larger than this are streamed. */
const BUFFERED_ANSWER_BYTES = 32 * 1024 * 1024
const BUFFERED_ANSWER_ROWS = 2_000
/** The fair-queue member for a company's writes. No client has such an id. */
const WRITER = ' writes'

export class PostgresStore implements Store {
  readonly slow: SlowQueries
  readonly newestEntries: NewestEntries
  readonly recordsAtOnce = 2_000
  readonly #pool: pg.Pool
  readonly #sessions: Sessions
  readonly #probe: pg.Pool
  readonly #clock: Clock
  readonly #metrics: StoreMetrics

  readonly #memory = new JournalMemory()
  /** Queries whose last answer was long: others are first asked for a short one, which takes no cursor. */
  readonly #long = new FadingMarks()
  readonly #queryTimeoutMs: number
  readonly #isBulk: boolean
  readonly #isPooled: boolean
  /** The shared writes by company. */
  readonly #writes = new Map<string, SharedWrites>()
  readonly #readTables = new ReadTables((declared) => compiledOf(declared).text, postgresDialect)
  readonly #versions = new RowVersions(async (companyId) => {
    const rows = await this.reading(companyId).all(readVersions, { companyId })
    return new Map(rows.map(({ table_name, version }) => [table_name, version]))
  })

  readonly #reads = new PipelinedReads(
    (flow) => this.#connect(flow),
    (error) => this.#faultOf(error),
  )
  readonly #url: string

  constructor({ pool, probe }: Pools, url: string, settings: OpenSettings) {
    const { clock, metrics, slow, queryTimeoutMs, isBulk, isPooled } = settings
    this.slow = slow
    this.newestEntries = new NewestEntries(committedByOthers((companyId) => this.reading(companyId)))
    this.#pool = pool
    const sessions = new Sessions(pool)
    this.#sessions = sessions
    this.#probe = probe
    this.#clock = clock
    this.#metrics = metrics
    metrics.pool = () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: sessions.queue.waiting,
    })
    metrics.queues.add('sessions', sessions.queue)
    metrics.queuedWrites = () => [...this.#writes.values()].reduce((sum, writes) => sum + writes.waiting, 0)
    this.#queryTimeoutMs = queryTimeoutMs
    this.#isBulk = isBulk
    this.#isPooled = isPooled
    this.#url = url
  }

  reading(companyId: string): ReadTx {
    return {
      companyId,
      first: async (declared, values) => {
        const find = (session: Session) => execute(questionsOf(session, companyId), declared, values)
        const flow = { group: companyId, member: '' }
        return (await again(() => this.#reads.read(flow, companyId, find))).rows[0] as never
      },
      all: async (declared, values) =>
        (await this.#asking(companyId, (session) => execute(session, declared, values))).rows as never,
      count: (compile) => this.#asking(companyId, (session) => countIn(session, compile)),
    }
  }

  write<T>(companyId: string, actor: Actor, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#shareWrite(companyId, actor, async (transaction) =>
      withJournal(transaction.startWrite({ companyId, actor, at: this.#clock().toISOString() }), work),
    )
  }

  writeTogether<T>(companyId: string, actor: Actor, work: (joint: JointWrite) => Promise<T>): Promise<T> {
    return this.#shareWrite(companyId, actor, (transaction) => {
      const parts: JointParts = {
        reading: new PostgresStateTx(transaction, companyId),
        shared: transaction.shared,
        isFault,
        startWrite: (by) => transaction.startWrite({ companyId, actor: by, at: this.#clock().toISOString() }),
        inSavepoint: (run) => inSavepoint(transaction, 'joined', run),
      }
      return writeJointly(parts, work)
    })
  }

  writeState<T>(companyId: string, member: string, work: (tx: StateTx) => Promise<T>): Promise<T> {
    const run = (transaction: Transaction) => work(new PostgresStateTx(transaction, companyId))
    return again(() => this.#inTransaction(companyId, run, member)).catch(rethrowWriteError)
  }

  async upsertCounters<P extends Record<string, Bindable>, Row>(
    declared: Statement<P, Row>,
    values: P,
  ): Promise<Row[]> {
    return (await this.#asking('', (session) => execute(session, declared, values))).rows as Row[]
  }

  writeSetup<T>(actor: Actor, work: (tx: SetupTx) => Promise<T>): Promise<T> {
    const apply = async (transaction: Transaction) => {
      const { session } = transaction
      const start = async (companyId: string) => {
        // Writes the state of the previous company, to which the transaction is still bound.
        transaction.flush()
        await rebind(session, companyId)
        await execute(session, startCounter, { companyId })
        await transaction.lock(companyId)
        return transaction.startWrite({ companyId, actor, at: this.#clock().toISOString() })
      }
      const tables = {
        ensureTable: (table: DeclaredTable) => asOwner(() => ensureTable(session, table)),
        ensureUnique: (table: DeclaredTable) => asOwner(() => ensureUnique(session, table)),
      }
      // It may read all records of a document, or build an index. Without statistics, as after an import, a bitmap scan
      // looks best for a page of records, and each page would sort all that follow. By the index of their key they come
      // in order. (Where sorts are off, a plan that must sort costs so much that PostgreSQL 15 to 17 compile it.)
      // On a busy machine it may pause for long between two statements.
      await session.query(
        "set local statement_timeout = 0; set local idle_in_transaction_session_timeout = '60s'; set local enable_bitmapscan = off",
      )
      return withJournals(start, (startIn) => work({ in: startIn, ...tables }))
    }
    // A long write of another process, or its setup, is waited for: nothing is locked meanwhile.
    return whenFree(this.#pool, () => this.#inTransaction('', apply)).catch(rethrowWriteError)
  }

  validityOf(companyId: string, readings: readonly Reading[]): undefined | Promise<Validity> {
    const tables = this.#readTables.of(readings)
    return tables && this.#versions.validityOf(companyId, tables)
  }

  async count(companyId: string, { compile, flow, onAbandoned }: CountQuery): Promise<Snapshot<number>> {
    const canceller = new QueryCanceller(this.#probe, onAbandoned)
    const query = await compile(postgresDialect)
    const { content, changeNumber } = await this.#timed(() =>
      this.#valueIn({ group: companyId, member: flow.member }, query, canceller),
    )
    return { content: Number(content), changeNumber }
  }

  collect(companyId: string, query: CollectionQuery): Promise<Snapshot<string | ByteStream>> {
    return this.#timed(() => again(() => this.#collect(companyId, query)))
  }

  async #collect(companyId: string, requested: CollectionQuery): Promise<Snapshot<string | ByteStream>> {
    const { format, cells, style, compile, flow, onAbandoned } = requested
    const canceller = new QueryCanceller(this.#probe, onAbandoned)
    const buffered = format === 'json' && (await this.#buffered(companyId, requested, canceller))
    if (buffered) return buffered
    const query = await compile(postgresDialect, ROW_FORMS[format])
    const faultOf = (error: unknown) => this.#faultOf(error)
    const session = await this.#connect({ group: companyId, member: flow.member })
    const streamed = {
      companyId,
      format,
      cells,
      style,
      canceller,
      timeoutMs: this.#queryTimeoutMs,
      faultOf,
      changeNumber: 0,
    }
    const content = await peekFirst(streamAnswer(session, query, streamed))
    return { content, changeNumber: streamed.changeNumber }
  }

  /** The answer where it is known to be short, or found to be; undefined for any other. */
  async #buffered(
    companyId: string,
    { compile, flow }: CollectionQuery,
    canceller: QueryCanceller,
  ): Promise<Snapshot<string> | undefined> {
    const query = await compile(postgresDialect, 'array')
    const { rows, rowBytes, text } = query
    const isShort = rows <= BUFFERED_ANSWER_ROWS && rows * rowBytes <= BUFFERED_ANSWER_BYTES
    if (!isShort && this.#long.has(text)) return undefined
    const asked = isShort ? query : await compile(postgresDialect, 'start')
    const client = { group: companyId, member: flow.member }
    const found = await undefinedIfTooLarge(() => this.#valueIn(client, asked, canceller))
    if (typeof found?.content === 'string') return { ...found, content: found.content }
    if (!isShort) this.#long.add(text)
    return undefined
  }

  columnsOf(table: string): Promise<readonly TableColumn[] | undefined> {
    return this.#inSession('', (session) => tableColumns(session, table))
  }

  integrity(): undefined {}

  setupIndexes(): Promise<ReadonlySet<string>> {
    return this.#inSession('', setupIndexes)
  }

  async changeIndexes(changes: IndexChanges, stopped: AbortSignal): Promise<void> {
    // It takes locks of a session.
    if (this.#isPooled)
      throw new Error('indexes are not built through a pooler: `tabularium setup` without --pooled does')
    return changeIndexes(this.#url, changes, stopped)
  }

  async databaseBytes(): Promise<number> {
    const { rows } = await this.#probe.query('select pg_database_size(current_database()) as bytes')
    return Number(rows[0]?.bytes)
  }

  async ping(): Promise<void> {
    await this.#probe.query('select 1').catch((error: unknown) => {
      throw this.#faultOf(error)
    })
  }

  async close(): Promise<void> {
    this.newestEntries.close()
    await Promise.all([this.#pool.end(), this.#probe.end()])
  }

  #shareWrite<T>(companyId: string, actor: Actor, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const writes = this.#writesOf(companyId)
    return again(() => writes.write(flowOf(companyId, actor), work)).catch(rethrowWriteError)
  }

  #writesOf(companyId: string): SharedWrites {
    const inTransaction: InTransaction = (work) =>
      this.#inTransaction(companyId, async (transaction) => {
        await transaction.lock(companyId)
        await work(transaction)
      })
    return getOrInsert(this.#writes, companyId, () => new SharedWrites(inTransaction, this.#metrics, this.#isBulk))
  }

  #faultOf(error: unknown): unknown {
    if (isTimeout(error)) {
      this.#metrics.refuse('query-too-long')
      return queryTooLong(this.#queryTimeoutMs, error)
    }
    const fault = translate(error)
    if (fault !== error) this.#metrics.refuse('unavailable')
    return fault
  }

  async #timed<T>(work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now()
    const result = await work()
    this.#metrics.addQuery('database', performance.now() - startedAt)
    return result
  }

  async #connect(flow: Flow): Promise<Session> {
    try {
      return await this.#sessions.connect(flow)
    } catch (error) {
      const fault = this.#faultOf(error)
      if (fault === error) this.#metrics.refuse('unavailable')
      throw fault
    }
  }

  async #inSession<T>(companyId: string, work: (session: Session) => Promise<T>, member = ''): Promise<T> {
    const session = await this.#connect({ group: companyId, member })
    try {
      const result = await work(session)
      session.release()
      return result
    } catch (error) {
      const fault = this.#faultOf(error)
      // A session in an unknown state is discarded.
      session.release(fault !== error)
      throw fault
    }
  }

  /** `work` asks one question, in a transaction of its own. */
  #asking<T>(companyId: string, work: (session: Questions) => Promise<T>): Promise<T> {
    return again(() => this.#inSession(companyId, (session) => work(questionsOf(session, companyId))))
  }

  /**
   * The value that a query returns. Those that a client asks for at once, with one plan for their values, may share a
   * session: they find few rows. Any other one may be slow, and is cancelled when nobody waits for it.
   */
  #valueIn(client: Flow, query: CompiledQuery, canceller: QueryCanceller): Promise<Snapshot<unknown>> {
    const { group: companyId, member } = client
    // A cancellation might come when the session is at the statement of another one.
    const ask = (session: Session, isShared = false) =>
      valueIn(questionsOf(session, companyId, isShared ? undefined : canceller), companyId, query)
    return again(() =>
      query.onePlan ? this.#reads.read(client, query.text, ask) : this.#inSession(companyId, (one) => ask(one), member),
    )
  }

  #inTransaction<T>(companyId: string, work: (transaction: Transaction) => Promise<T>, member = WRITER): Promise<T> {
    const { committed } = this.newestEntries
    const run = (session: Session) =>
      inTransaction(new Transaction(session, this.#memory, committed), companyId, work, this.#metrics)
    return this.#inSession(companyId, run, member)
  }
}

/** Each question is asked in a transaction of its own. */
function questionsOf(session: Session, companyId: string, canceller?: QueryCanceller): Questions {
  return {
    statements: session.statements,
    query: (query, isOnePlan) => ask(session, companyId, query, { canceller, isOnePlan }),
  }
}

/** Undefined when the answer is too large to be buffered, because of texts older than the length limits. */
async function undefinedIfTooLarge<T>(answer: () => Promise<T>): Promise<T | undefined> {
  try {
    return await answer()
  } catch (error) {
    if (error instanceof Problem && error.cause instanceof TooLarge) return undefined
    throw error
  }
}
