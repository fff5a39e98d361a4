// What the rest of the program sees of the database: reading handles and writing transactions, each for one company.
// There is no other handle; a store function takes the one it works on as its first argument.
import type { Expressions } from './compile/expressions.ts'
import type { SqlValue, Statement } from './statement.ts'

/** Who writes, for the journal. */
export interface Actor {
  readonly userId: string
  readonly clientId: string
  readonly requestId: string
}

/** Sees what is committed (or, within a writing transaction, what that transaction has done so far). */
export interface ReadTx {
  readonly companyId: string
  first<P extends Record<string, SqlValue>, Row>(statement: Statement<P, Row>, values: P): Promise<Row | undefined>
  all<P extends Record<string, SqlValue>, Row>(statement: Statement<P, Row>, values: P): Promise<Row[]>
}

/** One write of one company. Writes of a company happen one after the other: what was checked still holds at the commit. */
export interface Tx extends ReadTx {
  readonly actor: Actor
  /** When the write happens, as stored. */
  readonly at: string
  /** The number of the journal entry of the record that is being changed; the first is taken when the company is locked. */
  readonly entryNo: number
  /** The same write with a further entry number, for a further record that it changes. */
  next(): Promise<Tx>
  /** Runs a statement that changes rows and tells how many. */
  run<P extends Record<string, SqlValue>>(statement: Statement<P, unknown>, values: P): Promise<number>
}

/** The one write that touches several companies: applying a setup. */
export interface SetupTx {
  /** The transaction as a write of that company ('' for what belongs to none). */
  in(companyId: string): Promise<Tx>
}

/** A statement made from a query text: every value in it is a bound parameter. */
export interface CompiledQuery {
  readonly text: string
  readonly parameters: readonly SqlValue[]
}

export interface Store {
  /** A handle for single statements, each on what is committed when it runs. */
  reading(companyId: string): ReadTx
  /** Runs `work` in one transaction; resolves when it is on disk. When `work` throws, nothing of it stays. */
  write<T>(companyId: string, actor: Actor, work: (tx: Tx) => Promise<T>): Promise<T>
  /** As `write`, over several companies at once. */
  writeSetup<T>(actor: Actor, work: (tx: SetupTx) => Promise<T>): Promise<T>
  /** Runs a query of the query language, compiled for the engine at hand: the one value of its one row. */
  query(companyId: string, compile: (engine: Expressions) => CompiledQuery): Promise<string | number>
  /** Throws a Problem (503) when the database does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}
