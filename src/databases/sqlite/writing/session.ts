// The prepared statements of one connection.

import type { StatementSync } from 'node:sqlite'
import { LRUCache } from 'lru-cache'
import { getOrInsert } from '../../../base/memo.ts'
import { type Bindable, quote, type SqlValue } from '../../../sql/dialect.ts'
import { type CompiledStatement, compileStatement, type Statement } from '../../../sql/statement.ts'
import { tablesChangedBy } from '../../../sql/statement-tables.ts'
import { CHANGE_COLUMN } from '../../../sql/tables.ts'
import type { RowTarget } from '../../../store/store.ts'
import { type Connection, countingInBigints, prepareArrays } from '../dialect/connection.ts'
import { sqliteDialect } from '../dialect/dialect.ts'

const PREPARED_QUERIES = 200
/** One for each table and the columns that the rows of a part give. */
const PREPARED_INSERTS = 20

export interface PreparedStatement extends Omit<CompiledStatement, 'text'> {
  readonly statement: StatementSync
  /** The names of the columns of its rows; none: it answers no rows. */
  readonly columns: readonly string[]
}

/** A statement with the values of its parameters. */
export interface BoundStatement extends Pick<PreparedStatement, 'statement' | 'columns' | 'changes'> {
  readonly bound: readonly Bindable[]
}

/** The first row of a statement. Rows come as arrays: Node.js makes objects of them slower, and slow ones. */
export function firstRow<Row>({ statement, columns, bound }: BoundStatement): Row | undefined {
  const values = statement.get(...bound) as unknown as readonly SqlValue[] | undefined
  return values && rowOf<Row>(columns, values)
}

export function allRows<Row>({ statement, columns, bound }: BoundStatement): Row[] {
  const rows = statement.all(...bound) as unknown as (readonly SqlValue[])[]
  return rows.map((values) => rowOf<Row>(columns, values))
}

export function rowOf<Row>(columns: readonly string[], values: readonly SqlValue[]): Row {
  const row: Record<string, SqlValue | undefined> = {}
  for (let at = 0; at < columns.length; at++) row[columns[at] as string] = values[at]
  return row as Row
}

/** The statements of one connection, each prepared at its first use. */
export class SqliteSession {
  readonly #connection: Connection
  readonly #prepared = new Map<string, PreparedStatement>()
  readonly #ofSetup = new LRUCache<Statement<never, unknown>, PreparedStatement>({ max: PREPARED_QUERIES })
  readonly #queries = new LRUCache<string, StatementSync>({ max: PREPARED_QUERIES })
  readonly #rowInserts = new LRUCache<string, Pick<PreparedStatement, 'statement' | 'changes'>>({
    max: PREPARED_INSERTS,
  })

  /** Whether a statement was bound that may write, since this was set to false. */
  hasWritten = false

  constructor(connection: Connection) {
    this.#connection = connection
  }

  bind<P extends Record<string, Bindable>>(declared: Statement<P, unknown>, values: P): BoundStatement {
    const prepare = () => this.#prepare(declared)
    const { statement, names, columns, onlyReads, changes } = declared.isOfSetup
      ? getOrInsert(this.#ofSetup, declared, prepare)
      : getOrInsert(this.#prepared, declared.name, prepare)
    if (!onlyReads) this.hasWritten = true
    return { statement, columns, changes, bound: names.map((name) => values[name] as Bindable) }
  }

  #prepare(declared: Statement<never, unknown>): PreparedStatement {
    const { text, ...compiled } = compileStatement(sqliteDialect, declared)
    return { ...this.prepareText(text), ...compiled }
  }

  /** Prepares a statement with rows as arrays; it is not kept. */
  prepareText(text: string): Pick<PreparedStatement, 'statement' | 'columns'> {
    const statement = prepareArrays(this.#connection, text)
    const columns = statement.columns().map(({ name }) => name)
    if (columns.length === 0) countingInBigints(statement)
    return { statement, columns }
  }

  rowInsert(target: RowTarget): Pick<PreparedStatement, 'statement' | 'changes'> {
    const text = rowInsertText(target)
    this.hasWritten = true
    return getOrInsert(this.#rowInserts, text, () => ({
      statement: countingInBigints(this.#connection.prepare(text)),
      changes: tablesChangedBy(text),
    }))
  }

  /**
   * Prepares a query that returns one value, with rows as arrays. The rules in force are few, so the cache is small.
   */
  prepared(text: string): StatementSync {
    return getOrInsert(this.#queries, text, () => prepareArrays(this.#connection, text))
  }
}

/** Inserts one row at a time; the company, the time, the user and the entry follow the row's values. */
export function rowInsertText({ table, columns }: RowTarget): string {
  const names = [...columns.map(({ name }) => name), 'company_id', 'updated_at', 'updated_by', CHANGE_COLUMN].map(quote)
  return `insert into ${quote(table)} (${names.join(', ')}) values (${names.map(() => '?').join(', ')}) on conflict do nothing`
}
