// The rows of a document's tables as they were: those that have not changed since, as they are stored, and the earlier
// states of the others, as they are given.

import type { Steps } from '../../base/concurrency/steps.ts'
import type { DocumentDefinition, ValueProperty } from '../../model/document.ts'
import type { Dialect, GivenColumn } from '../dialect.ts'
import type { CompiledQuery } from './compiled-query.ts'
import { GivenRows, type RowState } from './given-rows.ts'
import type { FirstParameters, OpenRowSource, RowSource, StandIn } from './row-source.ts'

/** What has changed since a moment. */
export interface ChangedRows {
  /**
   * The keys of all records that have changed, with commas between: JSON arrays of their parts without the company, in
   * their order.
   */
  readonly keys: string
  /** The states that these records had then; a record that was not there has none. */
  readonly states: readonly RowState[]
  /** In which they are written as JSON, because there may be many. */
  readonly steps: Steps
}

/** The number of the state of rows that have not changed. */
const UNCHANGED = -1
const CHANGED = 'changed'

/** The changed records of a document, and those of the documents whose records a query has as lines. */
export interface PastChanges extends ChangedRows {
  readonly lines?: readonly { readonly definition: DocumentDefinition; readonly changed: ChangedRows }[]
}

/** The rows of a document and of its lines as they were. */
export class PastRows implements RowSource {
  readonly #parts: readonly RowsOfDocument[]

  constructor(definition: DocumentDefinition, { lines = [], ...changed }: PastChanges) {
    const ofLines = lines.map((one, at) => new RowsOfDocument(one.definition, one.changed, `lines${at}_`))
    this.#parts = [new RowsOfDocument(definition, changed, ''), ...ofLines]
  }

  open(sql: FirstParameters): OpenRowSource {
    const open = this.#parts.map((part) => part.open(sql))
    return {
      standInFor: (table) => {
        for (const one of open) {
          const found = one.standInFor(table)
          if (found) return found
        }
        return undefined
      },
      clause: () => `with ${open.map((one) => one.expressions()).join(', ')} `,
    }
  }

  /** The compiled query with the states of each document as its first parameter. */
  async withStates<Query extends Pick<CompiledQuery, 'parameters'>>(query: Query, dialect: Dialect): Promise<Query> {
    const parameters = [...query.parameters]
    for (const [at, part] of this.#parts.entries()) parameters[at * PARAMETERS] = await part.statesIn(dialect)
    return { ...query, parameters }
  }
}

/** How many parameters each document has: the states, and the keys of what has changed. */
const PARAMETERS = 2

class RowsOfDocument {
  readonly #definition: DocumentDefinition
  readonly #changed: ChangedRows
  readonly #given: GivenRows
  readonly #name: string

  /** `prefix`: of the names of its table expressions. */
  constructor(definition: DocumentDefinition, changed: ChangedRows, prefix: string) {
    this.#definition = definition
    this.#changed = changed
    this.#given = new GivenRows(definition, prefix)
    this.#name = prefix + CHANGED
  }

  open(sql: FirstParameters): Pick<OpenRowSource, 'standInFor'> & { expressions(): string } {
    const { dialect } = sql
    const given = this.#given.open(sql)
    const changed = dialect.jsonOf(sql.bind(`[[${this.#changed.keys}]]`, 'string', true))
    const standIns = new Map<string, StandIn>()
    return {
      standInFor: (table) => {
        const found = given.standInFor(table)
        const standIn = found && { ...found, name: `past ${table}` }
        if (standIn) standIns.set(table, standIn)
        return standIn
      },
      expressions: () => {
        const tables = [...standIns].map(([table, standIn]) => {
          const source = given.standInFor(table)?.name ?? ''
          return `${dialect.quote(standIn.name)} as (${this.#rowsOf(table, standIn, source, sql)})`
        })
        const parameters = `${this.#name}(body) as (select ${changed})`
        return [given.clause().trimEnd().slice('with '.length), parameters, ...tables].join(', ')
      },
    }
  }

  statesIn(dialect: Dialect): Promise<string> {
    const { states, steps } = this.#changed
    return this.#given.parameterInSteps(states, dialect, steps)
  }

  #rowsOf(table: string, { columns }: StandIn, given: string, { dialect, company }: FirstParameters): string {
    const { quote } = dialect
    const names = [...columns]
    const stored = names.map((name) => (name === this.#given.stateColumn ? `${UNCHANGED}` : `m.${quote(name)}`))
    const { companyColumn, table: main } = this.#definition
    const own = `m.${quote(companyColumn)} = ${company}`
    const where = table === main ? `${own} and ${this.#isUnchanged(dialect)}` : own
    return `select ${stored.map((one, at) => `${one} as ${quote(names[at] ?? '')}`).join(', ')} from ${quote(table)} m
      where ${where} union all select ${names.map(quote).join(', ')} from ${quote(given)}`
  }

  #isUnchanged(dialect: Dialect): string {
    const { quote } = dialect
    const columns = keyColumnsOf(this.#definition)
    const own = columns.map(({ name }) => `m.${quote(name)}`).join(', ')
    return `(${own}) not in (${dialect.rowsIn(this.#name, 'body', 0, columns)})`
  }
}

/** The columns of the key without the company. */
function keyColumnsOf({ key, properties, companyColumn }: DocumentDefinition): GivenColumn[] {
  return key.flatMap((name): GivenColumn[] => {
    const { source, type } = properties[name] as ValueProperty
    if (!('column' in source) || source.column === companyColumn) return []
    return [{ name: source.column, type: type === 'integer' ? 'integer' : 'string' }]
  })
}
