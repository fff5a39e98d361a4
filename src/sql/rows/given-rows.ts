// The rows of records as one JSON parameter: those of the document's table, and those of the tables of its lists.

import type { Steps } from '../../base/concurrency/steps.ts'
import type { DocumentDefinition, Properties, StoredAs, ValueType } from '../../model/document.ts'
import type { Dialect, GivenColumn, SqlValue } from '../dialect.ts'
import { CHANGE_COLUMN } from '../tables.ts'
import type { FirstParameters, OpenRowSource, RowSource, StandIn } from './row-source.ts'

/** Columns by name, in the form of SQLite's tables: decimals in units of their last digit, JSON as text. */
type GivenRow = Readonly<Record<string, SqlValue>>

/** The rows of one state of a record. */
export interface RowState {
  /** The row of the document's table. */
  readonly columns: GivenRow
  /** The rows of the tables of its lists, in the order of the list. */
  readonly items: Readonly<Record<string, readonly GivenRow[]>>
}

/** A column whose values have a type, and a scale if they are decimals. */
interface TypedColumn extends GivenColumn {
  readonly scale: number
}

interface GivenTable extends StandIn {
  readonly table: string
  readonly types: ReadonlyMap<string, TypedColumn>
}

/** They take less than a millisecond. */
const ROWS_BETWEEN_PAUSES = 64
/** No table has a column of this name. */
const STATE_COLUMN = '# state'
const GIVEN = 'given'

/** The rows that are given to one statement. */
export class GivenRows implements RowSource {
  readonly stateColumn = STATE_COLUMN
  /** The document's table first. */
  readonly #tables: readonly GivenTable[]
  readonly #given: string

  /** `prefix`: of the names of its table expressions, where a statement has those of several documents. */
  constructor({ table, restriction, ...visible }: DocumentDefinition, prefix = '') {
    // The row rule may ask of hidden properties.
    const { properties } = restriction?.whole ?? visible
    const lists = itemTablesOf(properties)
    this.#given = prefix + GIVEN
    const tables = [{ table, properties }, ...lists]
    this.#tables = tables.map((one, at) => ({
      table: one.table,
      name: `${prefix}given ${at}`,
      columns: new Set<string>(),
      stateColumn: STATE_COLUMN,
      types: new Map([...typedColumns(one.properties)].map((column) => [column.name, column])),
    }))
  }

  open(sql: FirstParameters): OpenRowSource {
    const { dialect } = sql
    const given = dialect.jsonOf(sql.bind('', 'string', true))
    return {
      standInFor: (table) => this.#tables.find((one) => one.table === table),
      clause: () => {
        const parts = this.#used.map((table, at) => {
          const rows = dialect.rowsIn(this.#given, 'body', at, columnsOf(table))
          return `${dialect.quote(table.name)} as (${rows})`
        })
        return `with ${[`${this.#given}(body) as (select ${given})`, ...parts].join(', ')} `
      },
    }
  }

  /** The number of columns that the statement reads of each row. */
  get columnCount(): number {
    return this.#used.reduce((sum, { columns }) => sum + columns.size, 0)
  }

  /** The value of the parameter for these states. */
  parameterOf(states: readonly RowState[], dialect: Dialect): string {
    const tables = this.#used.map((table) => `[${[...this.#rowTexts(states, table, dialect)].join(',')}]`)
    return `[${tables.join(',')}]`
  }

  /** The same in steps, for as many states as there may be. */
  async parameterInSteps(states: readonly RowState[], dialect: Dialect, steps: Steps): Promise<string> {
    const tables: string[] = []
    for (const table of this.#used) {
      const rows: string[] = []
      for (const row of this.#rowTexts(states, table, dialect)) {
        rows.push(row)
        if (rows.length % ROWS_BETWEEN_PAUSES === 0) await steps.pause()
      }
      tables.push(`[${rows.join(',')}]`)
    }
    return `[${tables.join(',')}]`
  }

  /** The rows of the states in one table, as JSON. */
  *#rowTexts(states: readonly RowState[], table: GivenTable, dialect: Dialect): Generator<string, void, void> {
    for (const [state, { columns, items }] of states.entries()) {
      const rows = table === this.#tables[0] ? [columns] : (items[table.table] ?? [])
      for (const row of rows) yield JSON.stringify(rowOf(row, state, table, dialect))
    }
  }

  get #used(): readonly GivenTable[] {
    return this.#tables.filter(({ columns }) => columns.size > 0)
  }
}

function rowOf(row: GivenRow, state: number, table: GivenTable, dialect: Dialect): unknown[] {
  return columnsOf(table).map(({ name, type, scale }) => {
    if (name === STATE_COLUMN) return state
    const value = row[name] ?? ABSENT_VALUES[type]
    return type === 'decimal' ? dialect.decimalValue(BigInt(value), scale).value : value
  })
}

function columnsOf({ columns, types }: GivenTable): TypedColumn[] {
  return [...columns].map(
    (name) => types.get(name) ?? { name, type: INTEGERS.has(name) ? 'integer' : 'string', scale: 0 },
  )
}

/** Columns with numbers that are no property of a document. */
const INTEGERS: ReadonlySet<string> = new Set([
  STATE_COLUMN,
  'change_no',
  CHANGE_COLUMN,
  'created_no',
  'is_deleted',
  'place',
])

function itemTablesOf(properties: Properties): { table: string; properties: Properties }[] {
  return Object.values(properties).flatMap((property) => {
    if (property.kind === 'group') return itemTablesOf(property.properties)
    if (property.kind !== 'list' || !('joins' in property.from)) return []
    return [{ table: property.from.table, properties: property.properties }]
  })
}

/** The columns of the table of these properties, with the types that they have in it. */
function* typedColumns(properties: Properties): Generator<TypedColumn> {
  for (const property of Object.values(properties)) {
    if (property.kind === 'group') yield* typedColumns(property.properties)
    else if (property.kind === 'list' && 'json' in property.from)
      yield { name: property.from.json, type: 'json', scale: 0 }
    else if (property.kind === 'value') {
      const { source, type, scale = 0 } = property
      if ('path' in source && source.json !== undefined) yield { name: source.json, type: 'json', scale: 0 }
      if (!('column' in source) || source.table !== undefined) continue
      yield { name: source.column, type: storedType(type, source.storedAs), scale }
    }
  }
}

/** The type of a column of the service's own tables. */
function storedType(type: ValueType, storedAs: StoredAs | undefined): GivenColumn['type'] {
  if (storedAs === 'flag') return 'integer'
  if (storedAs !== undefined) return 'string'
  return type === 'integer' || type === 'number' || type === 'decimal' ? type : 'string'
}

const ABSENT_VALUES: Readonly<Record<GivenColumn['type'], SqlValue>> = {
  string: '',
  integer: 0,
  number: 0,
  decimal: 0,
  json: '[]',
}
