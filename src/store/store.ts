// What the rest of the program sees of the database: reading handles and writing transactions, each for one company.
// There is no other handle; a store function takes the one it works on as its first argument.
import type { Flow } from '../base/concurrency/fair-queue.ts'
import type { Validity } from '../base/validity.ts'
import type { ValueType } from '../model/document.ts'
import type { Expressions } from './compile/expressions.ts'
import type { Work } from './compile/work.ts'
import type { IndexChanges } from './indexes/setup-index.ts'
import type { ChainHead, NewEntries } from './journal/audit-chain.ts'
import type { Integrity } from './service-state/integrity.ts'
import type { SlowQueries } from './service-state/slow-queries.ts'
import type { SqlValue, Statement } from './statement.ts'
import type { Reading } from './versions/table-versions.ts'

/** Who writes, for the journal. */
export interface Actor {
  readonly userId: string
  readonly clientId: string
  readonly requestId: string
}

/** In whose turn a write comes: those of companies are shared out, and within one those of its clients. */
export function flowOf(companyId: string, { clientId, userId }: Actor): Flow {
  return { group: companyId, member: clientId || userId }
}

/** Sees what is committed (or, within a writing transaction, what that transaction has done so far). */
export interface ReadTx {
  readonly companyId: string
  first<P extends Record<string, SqlValue>, Row>(statement: Statement<P, Row>, values: P): Promise<Row | undefined>
  all<P extends Record<string, SqlValue>, Row>(statement: Statement<P, Row>, values: P): Promise<Row[]>
  /** Counts what a query finds that visits few rows, whatever its conditions: it has a whole key. */
  count(compile: (engine: Expressions) => CompiledQuery): Promise<number>
}

export interface ColumnShape {
  readonly name: string
  readonly type: ValueType
  /** Of a decimal. */
  readonly scale?: number
}

/** Where rows are added, and what stands in them: decimals in units of their last digit. */
export interface RowTarget {
  readonly table: string
  readonly columns: readonly ColumnShape[]
  /** Columns that are unique within a company. */
  readonly key: readonly string[]
}

/**
 * One write of one company. Writes of a company happen one after the other: what was checked still holds at the commit.
 */
export interface Tx extends ReadTx {
  readonly actor: Actor
  /** When the write happens, as stored. */
  readonly at: string
  /**
   * The number of the journal entry of the record that is being changed; the first is taken when the company is locked.
   */
  readonly entryNo: number
  /** What the write adds to the journal. */
  readonly entries: NewEntries
  /** Tells where the chain of the company ends with what this write has added. */
  moveHead(head: ChainHead): void
  /** The same write with a further entry number, for a further record that it changes. */
  nextEntry(): Promise<Tx>
  /**
   * Sends a statement that changes rows; it runs before what is sent after it. When it fails, so does the next
   * statement that is waited for, or the commit.
   */
  send<P extends Record<string, SqlValue>>(statement: Statement<P, unknown>, values: P): void
  /**
   * Adds rows to the table of a document, stamped with the company and the writer, their values in the order of the
   * columns. Tells of each whether it was inserted: one whose key is there already, or stands before in the same rows,
   * is not.
   */
  insertRows(into: RowTarget, rows: readonly (readonly SqlValue[])[]): Promise<readonly boolean[]>
  /** Runs a statement that changes rows and tells how many. */
  run<P extends Record<string, SqlValue>>(statement: Statement<P, unknown>, values: P): Promise<number>
}

/** The one write that touches several companies: applying a setup. */
export interface SetupTx {
  /** The transaction as a write of that company ('' for what belongs to none). */
  in(companyId: string): Promise<Tx>
  /** Makes a table of a setup's own, or adds the columns that it lacks; it never takes anything away. */
  shape(table: CustomTable): Promise<void>
}

/** A table that a setup asks for; every one also has the company, and when and by whom a row was last changed. */
export interface CustomTable {
  readonly name: string
  readonly columns: readonly ColumnShape[]
  /** Columns that are unique within a company. */
  readonly key: readonly string[]
}

/** What a column of any table holds, as far as it can be read. */
export type ColumnKind =
  | 'text'
  /** Of a database that keeps its dates as text too. */
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
  /** As the database calls it. */
  readonly declared: string
  readonly kind: ColumnKind
  readonly isNullable: boolean
}

/** Columns of a document's own table that must have these values, such as the company; of several, any. */
export type KeyFilter = readonly (readonly [column: string, value: SqlValue | readonly SqlValue[]])[]

/** `array`: one row with one column, the JSON array; `rows`: a JSON object each; `cells`: a column each. */
export type AnswerForm = 'array' | 'rows' | 'cells'

/** The value of a column by which rows are found one after the other. */
export type EdgeValue = string | number | bigint

export type BoundText = Pick<CompiledQuery, 'text' | 'parameters'>

/** A statement made from a query text: every value in it is a bound parameter. */
export interface CompiledQuery {
  readonly text: string
  readonly parameters: readonly SqlValue[]
  /** How far it may have to look, for a store that must not be held up. */
  readonly scanEstimate: {
    /** At most how many rows are answered. */
    readonly rows: number
    /** At most how many rows are answered or skipped. */
    readonly most: number
    /** What each row costs. */
    readonly work: Work
    /** How the chosen index serves it. Absent: the database chooses. */
    readonly plan?: {
      /** The index finds just the rows that meet all conditions. */
      readonly isExact: boolean
      /** In the order that is wanted. */
      readonly isInOrder: boolean
      /** All conditions and the order are checked in the index. */
      readonly isCovering: boolean
    }
    /** Where the database chooses: the bounds of an index search that would find just these rows, if one could. */
    readonly bounds?: number | undefined
    /**
     * Answers a row when the search finds more than `visits` rows: those within the bounds of the chosen index, or
     * within the scope and what the query says of `columns`; without these, those of the whole table.
     */
    edge(visits: number, columns?: ReadonlySet<string>): BoundText
    /**
     * The same query of the rows before such an edge alone, whose column is in it; absent where rows are not found in
     * order.
     */
    before?(edge: EdgeValue): BoundText
  }
  /** The same answer from the rows that a text index finds: better where they are few. */
  readonly byText?: CompiledQuery
}

/** A JSON array, a JSON object a line, or comma-separated values with a line of names first. */
export type AnswerFormat = 'json' | 'ndjson' | 'csv'

/** For whom a query is run. */
export interface Asker {
  /** One caller among others, who take turns. */
  readonly flow: Flow
  /** Is told what to do when nobody waits for the answer any more. */
  onAbandoned(stop: () => void): void
}

/** A program that asks for itself, and waits. */
export const NOBODY: Asker = { flow: { group: '', member: '' }, onAbandoned: () => {} }

export interface CountQuery extends Asker {
  compile(engine: Expressions): CompiledQuery
}

export interface CollectionQuery extends Asker {
  readonly format: AnswerFormat
  /** Whether each cell of a line of CSV is text (which a spreadsheet must not take for a formula), in their order. */
  readonly cells: readonly { readonly name: string; readonly isText: boolean }[]
  compile(engine: Expressions, form: AnswerForm): CompiledQuery
  /** Asked by one who holds another answer: it must not wait for the end of any. */
  readonly isUrgent: boolean
}

/**
 * An answer as it is made, from one snapshot; nothing is read ahead of who takes it. It ends with how many rows it had.
 */
export type ByteStream = AsyncGenerator<Uint8Array, number, void>

export interface Store {
  /** The questions that took long. */
  readonly slow: SlowQueries
  /** As many records an import creates in one write. Where others write at the same time, they wait for it. */
  readonly recordsAtOnce: number
  /** A handle for single statements, each on what is committed when it runs. */
  reading(companyId: string): ReadTx
  /** Runs `work` in one transaction; resolves when it is on disk. When `work` throws, nothing of it stays. */
  write<T>(companyId: string, actor: Actor, work: (tx: Tx) => Promise<T>): Promise<T>
  /** Runs one statement on what belongs to no company and no journal, such as counts; it may be lost in a power cut. */
  upsertCounters<P extends Record<string, SqlValue>, Row>(statement: Statement<P, Row>, values: P): Promise<Row[]>
  /** As `write`, over several companies at once. */
  writeSetup<T>(actor: Actor, work: (tx: SetupTx) => Promise<T>): Promise<T>
  /**
   * The state of all that these statements read, to be asked before they are run: what they answer then is of this
   * state or a newer one. Nothing when they read what somebody else may change.
   */
  validityOf(companyId: string, readings: readonly Reading[]): Validity | undefined | Promise<Validity>
  /** Counts what a query finds. Throws a Problem (503) when it takes longer than a query may. */
  count(companyId: string, query: CountQuery): Promise<number>
  /**
   * Answers a collection: as a whole where it is small, otherwise piece by piece. Throws as `count` does, also between
   * pieces.
   */
  collect(companyId: string, query: CollectionQuery): Promise<string | Uint8Array | ByteStream>
  /** The columns of a table or view, with its schema before a dot where it has one; nothing when it is not there. */
  columnsOf(table: string): Promise<readonly TableColumn[] | undefined>
  /** What is known of the database as a whole; nothing where its server looks after it. */
  integrity(): Integrity | undefined
  /** The names of indexes that setups have asked for and that are there, whole. */
  setupIndexes(): Promise<ReadonlySet<string>>
  /**
   * Drops and builds indexes, one after the other. Reading goes on all the while; writing too on PostgreSQL, and on
   * SQLite between two of them. Resolves early, with nothing half done, when it is stopped.
   */
  changeIndexes(changes: IndexChanges, stopped: AbortSignal): Promise<void>
  /** Throws a Problem (503) when the database does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}
