// Queries of a document's rows as they were: compiled for each request, because the changed rows are in their text.
import type { Plan } from '../../../query/plan.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { type CompileOptions, compileCollection, compileTotal } from '../compile-query.ts'
import type { CompiledQuery, KeyFilter } from '../compiled-query.ts'
import { type ChangedRows, PastRows } from './past-rows.ts'

export function compilePastCollection(
  plan: Plan,
  scope: KeyFilter,
  dialect: Dialect,
  options: CompileOptions,
  changed: ChangedRows,
): CompiledQuery {
  const source = new PastRows(plan.definition, changed)
  return costly(source.withStates(compileCollection(plan, scope, dialect, { ...options, source }), dialect))
}

export function compilePastCount(plan: Plan, scope: KeyFilter, dialect: Dialect, changed: ChangedRows): CompiledQuery {
  const source = new PastRows(plan.definition, changed)
  return costly(source.withStates(compileTotal(plan, scope, dialect, source), dialect))
}

/** Such a query reads all that has changed before it answers anything: where threads matter, it never runs in one. */
function costly(query: CompiledQuery): CompiledQuery {
  const { scanEstimate } = query
  if (!scanEstimate) return query
  const { most, work } = scanEstimate
  const edge = () => ({ text: 'select 1', parameters: [] })
  return { ...query, scanEstimate: { most, work: { ...work, visit: Number.MAX_SAFE_INTEGER }, edge } }
}
