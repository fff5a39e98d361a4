// The store interface: reading handles and writing transactions, each for one company. There are no other handles; a
// store function takes the one that it works on as its first argument.

import type { Flow } from '../base/concurrency/fair-queue.ts'
import type { SharedReads } from '../base/shared-reads.ts'
import type { Validity } from '../base/validity.ts'
import type { Bindable, Dialect, SqlValue } from '../sql/dialect.ts'
import type { AnswerForm, CompiledQuery } from '../sql/rows/compiled-query.ts'
import type { ColumnShape, DeclaredTable } from '../sql/schema.ts'
import type { IndexChanges } from '../sql/setup-index.ts'
import type { Statement } from '../sql/statement.ts'
import type { AnswerLayout } from './answer-bytes.ts'
import type { ChainHead, NewEntries } from './chain/audit-chain.ts'
import type { NewestEntries } from './newest-entries.ts'
import type { SlowQueries } from './slow-queries.ts'
import type { Reading } from './table-versions.ts'

/** The author of a write, for the journal. */
export interface Actor {
  readonly userId: string
  readonly clientId: string
  readonly requestId: string
}

/** The flow of a write in fair queues: companies take turns, and within a company its clients. */
export function flowOf(companyId: string, { clientId, userId }: Actor): Flow {
  return { group: companyId, member: clientId || userId }
}

/** Reads what is committed or, within a writing transaction, also what that transaction has done so far. */
export interface ReadTx {
  readonly companyId: string
  first<P extends Record<string, Bindable>, Row>(statement: Statement<P, Row>, values: P): Promise<Row | undefined>
  all<P extends Record<string, Bindable>, Row>(statement: Statement<P, Row>, values: P): Promise<Row[]>
  /** Counts the rows of a query that visits few rows under any conditions, because it has a complete key. */
  count(compile: (dialect: Dialect) => CompiledQuery): Promise<number>
}

/** The table and columns that rows are inserted into. Decimals are in units of their last digit. */
export interface RowTarget {
  readonly table: string
  readonly columns: readonly ColumnShape[]
  /** Columns that are unique within a company. */
  readonly key: readonly string[]
}

/** A transaction on a company's tables that no journal is kept of: the service's own state. */
export interface StateTx extends ReadTx {
  /**
   * Sends a modifying statement without waiting. Statements run in the order of sending. A failure is thrown by the
   * next statement that is awaited, or by the commit.
   */
  send<P extends Record<string, Bindable>>(statement: Statement<P, unknown>, values: P): void
  /** Runs a modifying statement and returns the number of changed rows. */
  run<P extends Record<string, Bindable>>(statement: Statement<P, unknown>, values: P): Promise<number>
}

/** One write of one company. Writes of a company are serialized: what was checked still holds at the commit. */
export interface Tx extends StateTx {
  readonly actor: Actor
  /** The time of the write, as stored. */
  readonly at: string
  /** The version of the setup that was applied last. */
  readonly setupVersion: number
  /** The journal entry number of the record being changed. The first one is taken when the company is locked. */
  readonly entryNo: number
  /** The journal entries that the write adds. */
  readonly entries: NewEntries
  /** Records the new end of the company's hash chain. */
  moveHead(head: ChainHead): void
  /** Where others store what the write does: hands over what it has done so far, with its entries. */
  handOver?(): Promise<void>
  /** Returns the same write with another entry number, for another record that it changes. */
  nextEntry(): Tx
  /**
   * Inserts rows into a document's table, with the company, the author and the number of this write's entry, which then
   * stands for all of them; values are in the order of the columns.
   * Returns for each row whether it was inserted: one whose key exists already, or occurs earlier in the same rows, is
   * not.
   */
  insertRows(into: RowTarget, rows: readonly (readonly SqlValue[])[]): Promise<readonly boolean[]>
}

/** Several writes of one company that share a commit, and see one another. */
export interface JointWrite {
  /** Reads what is committed, and what these writes have done so far. */
  readonly reading: ReadTx
  /** Whether others wait so long for these writes that they should end. */
  readonly isHoldingUpOthers: boolean
  /** As `Store.write`, but durable with all of them. When `work` throws, what it has done is undone, and only that. */
  write<T>(actor: Actor, work: (tx: Tx) => Promise<T>): Promise<T>
}

/** The only kind of write that spans several companies: applying a setup. */
export interface SetupTx {
  /** The transaction as a write of that company ('' for what belongs to no company). */
  in(companyId: string): Promise<Tx>
  /**
   * Creates a declared table, or adds the missing columns and returns their names. Drops the unique indexes that it no
   * longer has, and never removes a record.
   */
  ensureTable(table: DeclaredTable): Promise<readonly string[]>
  /** Creates the missing unique indexes. Fails where two records have the same value. */
  ensureUnique(table: DeclaredTable): Promise<void>
}

/** The kind of values in a column of any table, as far as it can be read. */
export type ColumnKind =
  | 'text'
  /** A text column of a database that also stores dates as text. */
  | 'text-or-date'
  | 'padded-text'
  | 'uuid'
  | 'integer'
  | 'decimal'
  | 'double'
  | 'boolean'
  | 'date'
  | 'timestamp'
  | 'timestamptz'
  | 'other'

export interface TableColumn {
  readonly name: string
  /** The type as the database names it. */
  readonly declared: string
  readonly kind: ColumnKind
  readonly isNullable: boolean
}

export interface QueryCaller {
  /** The caller's flow in fair queues. */
  readonly flow: Flow
  /** Registers a callback for when the caller no longer waits for the answer. */
  onAbandoned(stop: () => void): void
}

/** The program itself as a caller, which always waits. */
export const INTERNAL_CALLER: QueryCaller = { flow: { group: '', member: '' }, onAbandoned: () => {} }

export interface CountQuery extends QueryCaller {
  compile(dialect: Dialect): CompiledQuery | Promise<CompiledQuery>
}

export interface CollectionQuery extends QueryCaller, AnswerLayout {
  compile(dialect: Dialect, form: AnswerForm): CompiledQuery | Promise<CompiledQuery>
  /** True when the caller holds another answer: the query must not wait for the end of any. */
  readonly isUrgent: boolean
}

/** What was read, and what it was read from. */
export interface Snapshot<Content> {
  readonly content: Content
  /**
   * The number of the company's last change in the very snapshot that the content was read from: a number read before
   * would repeat changes, and one read after would leave some out.
   */
  readonly changeNumber: number
}

/** An answer streamed from one snapshot with backpressure. Returns the number of rows at its end. */
export type ByteStream = AsyncGenerator<Uint8Array, number, void>

/** The integrity state of a database file. */
export interface Integrity {
  /**
   * `sound`: since the file was created or last checked, the service was always shut down cleanly; `unchecked`: it was
   * not; `damaged`: the last completed check found faults.
   */
  readonly condition: 'sound' | 'unchecked' | 'damaged'
  readonly isChecking: boolean
  /** The last completed check. */
  readonly lastCheck?: {
    readonly endedAt: string
    readonly seconds: number
    /** The number of faults found; `first` describes the first one. */
    readonly faults: number
    readonly first?: string
  }
}

export interface Store {
  readonly slow: SlowQueries
  /** Tells of commits: of other processes on the database too. */
  readonly newestEntries: NewestEntries
  /** The number of records that an import creates in one write. Other writers wait for it. */
  readonly recordsAtOnce: number
  /** Absent where a database elsewhere is asked. */
  readonly sharedReads?: SharedReads | undefined
  /** A handle for single statements; each reads what is committed when it runs, or when shared reads began. */
  reading(companyId: string): ReadTx
  /**
   * Runs `work` in one transaction and resolves when it is durable. When `work` throws, everything is rolled back. A
   * transaction that gave way to another one is done again: `work`, here and below, leaves nothing but in it.
   * `isLarge`: of a thousand records and more; some stores then store the first while the next are prepared.
   */
  write<T>(companyId: string, actor: Actor, work: (tx: Tx) => Promise<T>, isLarge?: boolean): Promise<T>
  /**
   * Runs several writes in one transaction, one after the other, and resolves when all are durable. When `work` throws,
   * all are rolled back. Other writers of the company wait meanwhile.
   */
  writeTogether<T>(companyId: string, actor: Actor, work: (joint: JointWrite) => Promise<T>): Promise<T>
  /** As `write`, without number and lock of the company. `member` takes turns with the company's clients. */
  writeState<T>(companyId: string, member: string, work: (tx: StateTx) => Promise<T>): Promise<T>
  /** Runs one statement on data of no company and no journal, such as counters. It may be lost in a power failure. */
  upsertCounters<P extends Record<string, Bindable>, Row>(statement: Statement<P, Row>, values: P): Promise<Row[]>
  /** As `write`, across several companies. `isTried`: all of it is rolled back, so it needs no room on the disk. */
  writeSetup<T>(actor: Actor, work: (tx: SetupTx) => Promise<T>, isTried?: boolean): Promise<T>
  /**
   * The state of the tables that these statements read. It must be read before they run: their results are then of this
   * state or a newer one. Undefined when another program may change one of the tables.
   */
  validityOf(companyId: string, readings: readonly Reading[]): Validity | undefined | Promise<Validity | undefined>
  /** Counts the rows of a query. Throws a Problem (503) when the query takes longer than its timeout. */
  count(companyId: string, query: CountQuery): Promise<Snapshot<number>>
  /**
   * Answers a collection: buffered when it is small, otherwise streamed in chunks. Throws as `count` does, also between
   * chunks.
   */
  collect(companyId: string, query: CollectionQuery): Promise<Snapshot<string | Uint8Array | ByteStream>>
  /** The columns of a table or view (optionally `schema.name`); undefined when there is none. */
  columnsOf(table: string): Promise<readonly TableColumn[] | undefined>
  /** The integrity state of the database file; undefined where a server is responsible for it. */
  integrity(): Integrity | undefined
  /** The names of the complete indexes that setups have declared. */
  setupIndexes(): Promise<ReadonlySet<string>>
  /**
   * Drops and builds indexes one after the other. Reads continue meanwhile; writes continue on PostgreSQL, and on
   * SQLite between two indexes. Resolves early, with nothing half done, when it is stopped.
   */
  changeIndexes(changes: IndexChanges, stopped: AbortSignal): Promise<void>
  /** The size of the database on disk. */
  databaseBytes(): Promise<number>
  /** Throws a Problem (503) when the database does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}
