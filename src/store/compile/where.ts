import type { BoundExpression } from '../../query/bound.ts'
import type { SqlValue } from '../statement.ts'
import type { Scope } from '../store.ts'
import type { FilterCompiler } from './compile-filter.ts'
import type { Emitter } from './emitter.ts'
import type { Rows } from './rows.ts'

/** Which rows are meant: those of the scope that meet the filter. */
export function whereOf(
  emitter: Emitter,
  rows: Rows,
  filters: FilterCompiler,
  scope: Scope,
  filter: BoundExpression | undefined,
): string {
  const fixed = scope.map(([column, value]) => {
    const name = `${rows.alias}.${emitter.engine.quote(column)}`
    const bind = (one: SqlValue) => emitter.bind(one, typeof one === 'number' ? 'integer' : 'string', true)
    return Array.isArray(value) ? `${name} in (${value.map(bind).join(', ')})` : `${name} = ${bind(value as SqlValue)}`
  })
  return `where ${[...fixed, ...(filter ? [filters.condition(filter)] : [])].join(' and ')}`
}
