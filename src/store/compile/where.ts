import type { BoundExpression } from '../../query/bound.ts'
import { type SqlValue, textLiteral } from '../dialects/dialect.ts'
import type { Choice } from './choose-index.ts'
import type { FilterCompiler } from './compile-filter.ts'
import type { KeyFilter } from './compiled-query.ts'
import type { SqlParameters } from './emitter.ts'
import type { FromClause } from './rows.ts'
import { mayHave, type SoughtText } from './sought-text.ts'

/**
 * The WHERE clause: the scope, the filter, and for a partial index the condition that its missing rows are excluded.
 */
export function whereOf(
  sql: SqlParameters,
  rows: FromClause,
  filters: FilterCompiler,
  scope: KeyFilter,
  filter: BoundExpression | undefined,
  choice?: Choice,
  text?: SoughtText,
): string {
  const fixed = scope.map(([column, value]) => {
    const bind = (one: SqlValue) => sql.bind(one, typeof one === 'number' ? 'integer' : 'string', true)
    if (!Array.isArray(value)) return rows.has(column, bind(value as SqlValue))
    return `${rows.own(column)} in (${value.map(bind).join(', ')})`
  })
  const { without } = choice?.index ?? {}
  if (without) fixed.push(`${rows.own(without.column)} <> ${textLiteral(without.value)}`)
  if (text) fixed.push(mayHave(text, rows, sql))
  if (filter) fixed.push(filters.condition(filter))
  return fixed.length === 0 ? '' : `where ${fixed.join(' and ')}`
}
