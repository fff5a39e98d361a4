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

export class PastRows implements RowSource {
  readonly #definition: DocumentDefinition
  readonly #changed: ChangedRows
  readonly #given: GivenRows

  constructor(definition: DocumentDefinition, changed: ChangedRows) {
    this.#definition = definition
    this.#changed = changed
    this.#given = new GivenRows(definition)
  }

  open(sql: FirstParameters): OpenRowSource {
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
      clause: () => {
        const tables = [...standIns].map(([table, standIn]) => {
          const source = given.standInFor(table)?.name ?? ''
          return `${dialect.quote(standIn.name)} as (${this.#rowsOf(table, standIn, source, sql)})`
        })
        const parameters = `${CHANGED}(body) as (select ${changed})`
        return `${[given.clause().trimEnd(), parameters, ...tables].join(', ')} `
      },
    }
  }

  /** The compiled query with the states as its first parameter. */
  async withStates<Query extends Pick<CompiledQuery, 'parameters'>>(query: Query, dialect: Dialect): Promise<Query> {
    const { states, steps } = this.#changed
    const given = await this.#given.parameterInSteps(states, dialect, steps)
    return { ...query, parameters: [given, ...query.parameters.slice(1)] }
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
    return `(${own}) not in (${dialect.rowsIn(CHANGED, 'body', 0, columns)})`
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
