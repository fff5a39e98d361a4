// Collects what a statement needs while its text is made: parameters in the order of the text, and the joins in use.
import { OPEN_FROM } from '../../base/dates.ts'
import type { Column, DocumentDefinition, ValueProperty, ValueType } from '../../model/document.ts'
import type { BoundType } from '../../query/bound.ts'
import type { SqlValue } from '../statement.ts'
import type { Expressions } from './expressions.ts'

/** What the columns of a joined row read as when the row is not there. */
const ABSENT: Readonly<Record<ValueType, string>> = {
  string: `''`,
  integer: '0',
  number: '0',
  boolean: 'false',
  'date-time': `'${OPEN_FROM}'`,
}

const OWN_ALIAS = 't'

export interface Emitter {
  readonly engine: Expressions
  readonly parameters: SqlValue[]
  /** Adds a parameter; gives its placeholder, which must be used once, where the text stands now. */
  bind(value: string | number | boolean, type: BoundType): string
  /** The SQL of a property's column; its join is used from now on. */
  column(property: ValueProperty): string
  /** A column of the document's own table. */
  own(column: Column): string
  /** The table and the joins in use, for FROM. */
  tables(): string
}

export function emitterFor(definition: DocumentDefinition, engine: Expressions): Emitter {
  const parameters: SqlValue[] = []
  const used = new Set<string>()
  const name = ({ table, column }: Column): string => `${table ?? OWN_ALIAS}.${engine.quote(column)}`
  const use = (alias: string): void => {
    if (used.has(alias)) return
    for (const [left] of definition.joins[alias]?.on ?? []) if (left.table !== undefined) use(left.table)
    used.add(alias)
  }
  return {
    engine,
    parameters,
    bind(value, type) {
      parameters.push(engine.bindable(value))
      // Beside an integer may stand a number with decimals, or one that no integer column holds.
      const isFraction = type === 'integer' && !Number.isSafeInteger(value)
      return engine.placeholder(parameters.length, isFraction ? 'number' : type)
    },
    column({ column, type }) {
      if (column.table === undefined) return name(column)
      use(column.table)
      return `coalesce(${name(column)}, ${ABSENT[type]})`
    },
    own: name,
    tables() {
      const joins = [...used].map((alias) => {
        const join = definition.joins[alias]
        if (!join) throw new Error(`${definition.name} has no join called ${alias}`)
        const on = join.on.map(([left, right]) => `${name(left)} = ${name({ table: alias, column: right })}`)
        return ` left join ${engine.quote(join.table)} ${alias} on ${on.join(' and ')}`
      })
      return `${engine.quote(definition.table)} ${OWN_ALIAS}${joins.join('')}`
    },
  }
}
