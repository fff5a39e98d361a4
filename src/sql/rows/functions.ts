// The SQL of the functions of one value, for filters and for what is computed.
import type { SqlParameters } from './emitter.ts'

type FunctionOfOne = 'length' | 'tolower' | 'toupper' | 'trim' | 'date' | 'year' | 'month' | 'day'

export function functionSql(name: FunctionOfOne, value: string, sql: SqlParameters): string {
  switch (name) {
    case 'length':
      return `length(${value})`
    case 'trim':
      return `trim(${value})`
    case 'tolower':
    case 'toupper':
      return sql.dialect.fold(value, name === 'tolower' ? 'lower' : 'upper', (text, type) => sql.bindOnce(text, type))
    case 'date':
      return `substr(${value}, 1, 10)`
    case 'year':
      return `cast(substr(${value}, 1, 4) as integer)`
    case 'month':
      return `cast(substr(${value}, 6, 2) as integer)`
    case 'day':
      return `cast(substr(${value}, 9, 2) as integer)`
  }
}
