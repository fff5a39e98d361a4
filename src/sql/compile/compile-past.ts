// Queries of a document's rows as they were: compiled for each request, because the changed rows are in their text.
import type { Plan } from '../../query/plan.ts'
import type { Dialect } from '../dialect.ts'
import { type CompiledQuery, costly, type KeyFilter } from '../rows/compiled-query.ts'
import { type PastChanges, PastRows } from '../rows/past-rows.ts'
import { type CompileOptions, compileCollection, compileTotal } from './compile-query.ts'

export async function compilePastCollection(
  plan: Plan,
  scope: KeyFilter,
  dialect: Dialect,
  options: CompileOptions,
  changed: PastChanges,
): Promise<CompiledQuery> {
  const source = new PastRows(plan.definition, changed)
  // It reads all that has changed before it answers anything.
  return costly(await source.withStates(compileCollection(plan, scope, dialect, { ...options, source }), dialect))
}

export async function compilePastCount(
  plan: Plan,
  scope: KeyFilter,
  dialect: Dialect,
  changed: PastChanges,
): Promise<CompiledQuery> {
  const source = new PastRows(plan.definition, changed)
  // It reads all that has changed before it answers anything.
  return costly(await source.withStates(compileTotal(plan, scope, dialect, source), dialect))
}
