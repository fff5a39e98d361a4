// Fixed statements: each is written once with Kysely, compiled once per dialect and prepared once per connection. The
// hot path only binds values; no SQL is built during a request.

import { type Compilable, type Kysely, type RawBuilder, sql } from 'kysely'
import { getOrInsert } from '../base/memo.ts'
import type { Bindable, Dialect, Placeholder, SqlValue } from './dialect.ts'
import type { AuditEntryView } from './service-tables.ts'
import { tablesChangedBy } from './statement-tables.ts'
import { JOURNAL, type Tables } from './tables.ts'

export interface Statement<P, Row> {
  /** Unique. It names the prepared statement on PostgreSQL and the entry in the checked-in listing of all SQL. */
  readonly name: string
  /** Whether it follows from a setup: then it is prepared under its text, because a later setup may change it. */
  readonly isOfSetup?: boolean
  /**
   * Whether its rows are asked for in the order of the index that finds them. PostgreSQL must take that one then: where
   * its statistics are older than the rows, it may believe that another one reads as few.
   */
  readonly isInOrderOfIndex?: boolean
  readonly build: (db: Kysely<Tables>, p: Placeholder<P>, dialect: Dialect) => Compilable | RawBuilder<unknown>
  /** The type of a result row; never set. */
  readonly row?: Row
}

/** A statement compiled for one dialect: `names[i]` is the parameter bound at position i. */
export interface CompiledStatement {
  readonly text: string
  readonly names: readonly string[]
  readonly onlyReads: boolean
  /** The document tables that it changes. */
  readonly changes: readonly string[]
}

const all = new Map<string, Statement<unknown, unknown>>()

/** Declares a fixed statement. `P` has its parameters, `Row` is one row of its result. */
export function statement<P extends Record<string, Bindable>, Row = never>(
  name: string,
  build: Statement<P, Row>['build'],
  order: Pick<Statement<P, Row>, 'isInOrderOfIndex'> = {},
): Statement<P, Row> {
  const declared: Statement<P, Row> = { name, build, ...order }
  if (all.has(name)) throw new Error(`two statements are called ${name}`)
  all.set(name, declared as Statement<unknown, unknown>)
  return declared
}

/**
 * A statement on the table of a document of the setup. It must be kept as long as the document's definition is: it is
 * compiled once for each object.
 */
export function setupStatement<P extends Record<string, Bindable>, Row = never>(
  name: string,
  build: Statement<P, Row>['build'],
): Statement<P, Row> {
  return { name, build, isOfSetup: true }
}

/** An integer parameter of a limit. With a bare parameter SQLite recompiles the statement for each value. */
export function asInteger(parameter: RawBuilder<never>): RawBuilder<number> {
  return sql`cast(${parameter} as integer)`
}

/** SQL text with the placeholder of the company wherever it names the company. */
export function withCompany(text: (company: string) => string, company: RawBuilder<never>): RawBuilder<unknown> {
  const parts = text(COMPANY).split(COMPANY)
  return sql.join(
    parts.map((part) => sql.raw(part)),
    company,
  )
}

/** The change log of a company as clients read it, as a table of a statement. */
export function journalFor(p: Placeholder<{ companyId: string }>, dialect: Dialect) {
  const entries = withCompany(
    (company) => `(${dialect.journal(company)})`,
    p('companyId'),
  ) as RawBuilder<AuditEntryView>
  return entries.as(JOURNAL)
}

/**
 * The number of an entry of the log where entries are found by their keys. The sign keeps databases from going through
 * all entries of a range of numbers instead.
 */
export const ENTRY_OF_KEY = sql<number>`+entry_no`

/** Stands for the company in a text: no name or literal has this character. */
const COMPANY = '\0'

/** Every statement declared so far, for the listing that a review reads. */
export function declaredStatements(): readonly Statement<unknown, unknown>[] {
  return [...all.values()]
}

class Named {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** One placeholder per column, with the column's name, for `values` and `set`. */
export function placeholdersFor<C extends string>(
  p: (name: C) => RawBuilder<never>,
  columns: readonly NoInfer<C>[],
): Record<C, RawBuilder<never>> {
  return Object.fromEntries(columns.map((column) => [column, p(column)])) as Record<C, RawBuilder<never>>
}

/** Restricts a statement to the rows whose columns have the values of the parameters of the same names. */
export function whereEqual<P>(p: Placeholder<P>, ...names: readonly (keyof P & string)[]) {
  return <Query>(query: Query): Query =>
    names.reduce((restricted, name) => (restricted as Restrictable<Query>).where(columnOf(name), '=', p(name)), query)
}

interface Restrictable<Query> {
  where(column: string, operator: '=', value: RawBuilder<never>): Query
}

/** `companyId` and `company_id` are parameters of the column `company_id`. */
function columnOf(parameter: string): string {
  return parameter.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** The values of an insert that found a row with its key, as the changes of that row. */
export function excluded(columns: readonly string[]) {
  return () => Object.fromEntries(columns.map((column) => [column, sql<never>`${sql.ref(`excluded.${column}`)}`]))
}

interface Upsert<Column extends string> {
  readonly key: readonly Column[]
  /** Columns that stay as they were inserted. */
  readonly kept?: readonly Column[]
  readonly changed: readonly Column[]
  /** A row with the same values in these columns is left as it is. */
  readonly compared?: readonly Column[]
}

/** Declares the statement that inserts a row, or changes the one with its key. Its parameters are the columns. */
export function upsertStatement<Row extends object>(
  name: string,
  table: keyof Tables,
  { key, kept = [], changed, compared = [] }: Upsert<keyof Row & string>,
): Statement<Record<keyof Row & string, SqlValue>, never> {
  return statement(name, (db, p) =>
    db
      .insertInto(table)
      .values(placeholdersFor(p, [...key, ...kept, ...changed]) as never)
      .onConflict((conflict) => {
        const update = conflict.columns(key as never).doUpdateSet(excluded(changed))
        const namesIn = (row: string) => sql.raw(compared.map((column) => `${row}.${column}`).join(', '))
        return compared.length === 0
          ? update
          : update.where(sql<boolean>`(${namesIn(table)}) <> (${namesIn('excluded')})`)
      }),
  )
}

/** The parameter names come in the order of binding: on SQLite each once, on PostgreSQL as often as it is named. */
export function compileStatement<P, Row>(dialect: Dialect, declared: Statement<P, Row>): CompiledStatement {
  const db = dialect.compiler
  const named = new Map<string, Named>()
  const parameterOf = (name: string) => getOrInsert(named, name, () => new Named(name))
  const placeholder = ((name: string) => sql`${parameterOf(name)}`) as unknown as Placeholder<P>
  const compiled = (declared.build(db, placeholder, dialect) as RawBuilder<unknown>).compile(db)
  const names = compiled.parameters.map((parameter) => {
    if (parameter instanceof Named) return parameter.name
    throw new Error(`${declared.name} holds a value that is not a placeholder: write it with sql.lit`)
  })
  const { sql: text } = compiled
  return { text, names, onlyReads: /^\s*select\b/i.test(text), changes: tablesChangedBy(text) }
}
