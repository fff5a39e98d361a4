// A fixed statement: written once with Kysely, compiled once per engine, prepared once per connection. The hot path
// then only binds values; no SQL is built while a request waits.
import type { Compilable, Kysely, RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Engine } from './engine.ts'
import type { Tables } from './tables.ts'
import { tablesChangedBy } from './versions/statement-tables.ts'

export type SqlValue = string | number

/** Stands for a value that is given when the statement runs. */
export type Placeholder<P> = (name: keyof P & string) => RawBuilder<never>

export interface Statement<P, Row> {
  /** Unique; names the prepared statement on PostgreSQL and the row in the checked-in listing of all SQL. */
  readonly name: string
  readonly build: (db: Kysely<Tables>, p: Placeholder<P>, engine: Engine) => Compilable | RawBuilder<unknown>
  /** Only a type: what a row of the answer looks like. */
  readonly row?: Row
}

/** A statement as one engine runs it: `names[i]` is the parameter bound at position i. */
export interface CompiledStatement {
  readonly text: string
  readonly names: readonly string[]
  /** The tables of documents that it changes. */
  readonly changes: readonly string[]
}

const all = new Map<string, Statement<unknown, unknown>>()

/** Declares a fixed statement. `P` names its parameters, `Row` is one row of its answer. */
export function statement<P extends Record<string, SqlValue>, Row = never>(
  name: string,
  build: Statement<P, Row>['build'],
): Statement<P, Row> {
  const declared: Statement<P, Row> = { name, build }
  if (all.has(name)) throw new Error(`two statements are called ${name}`)
  all.set(name, declared as Statement<unknown, unknown>)
  return declared
}

/** The texts of a JSON array as a subquery, for `in`. */
export function textsOf(engine: Engine, list: RawBuilder<never>): RawBuilder<unknown> {
  return engine.name === 'sqlite'
    ? sql`select value from json_each(${list})`
    : sql`select json_array_elements_text(${list}::json)`
}

/** A number for a limit: of a bare parameter SQLite compiles the statement again for each value. */
export function asInteger(parameter: RawBuilder<never>): RawBuilder<number> {
  return sql`cast(${parameter} as integer)`
}

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

/** A placeholder for each of these columns, named like it: for `values` and `set`. */
export function placeholdersFor<C extends string>(
  p: (name: C) => RawBuilder<never>,
  columns: readonly NoInfer<C>[],
): Record<C, RawBuilder<never>> {
  return Object.fromEntries(columns.map((column) => [column, p(column)])) as Record<C, RawBuilder<never>>
}

/** Compiles with an engine's own compiler; the names of the parameters come back in the order of binding. */
export function compileStatement<P, Row>(
  db: Kysely<Tables>,
  engine: Engine,
  declared: Statement<P, Row>,
): CompiledStatement {
  const placeholder = ((name: string) => sql`${new Named(name)}`) as unknown as Placeholder<P>
  const compiled = (declared.build(db, placeholder, engine) as RawBuilder<unknown>).compile(db)
  const names = compiled.parameters.map((parameter) => {
    if (parameter instanceof Named) return parameter.name
    throw new Error(`${declared.name} holds a value that is not a placeholder: write it with sql.lit`)
  })
  return { text: compiled.sql, names, changes: tablesChangedBy(compiled.sql) }
}
