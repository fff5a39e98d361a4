// The row rule of a restricted document: the filters of its rules, bound like the filter of a query.
import { memo } from '../base/memo.ts'
import type { DocumentDefinition } from '../model/document.ts'
import { bindFilter } from './bind.ts'
import type { BoundExpression } from './bound.ts'
import { BoundValue } from './bound-value.ts'
import { parseFilter } from './parse/filter.ts'
import { QueryError } from './parse/query-error.ts'

const ONE = new BoundValue('integer', 1)

/** A condition that no row meets. */
export const NEVER: BoundExpression = { kind: 'compare', op: 'ne', left: ONE, right: ONE }

/** The condition for visible rows, which applies to reads, counts and changes; undefined if all rows are visible. */
export const rowRuleOf = memo(({ restriction }: DocumentDefinition): BoundExpression | undefined => {
  if (!restriction?.filters) return undefined
  const terms = restriction.filters.map((text) => boundOrNever(restriction.whole, text))
  return terms.length > 1 ? { kind: 'or', terms } : (terms[0] ?? NEVER)
})

/** Combines a filter with the row rule. */
export function withRowRule(
  definition: DocumentDefinition,
  filter: BoundExpression | undefined,
): BoundExpression | undefined {
  const rule = rowRuleOf(definition)
  if (!rule || !filter) return rule ?? filter
  return { kind: 'and', terms: [rule, filter] }
}

/** A filter of a rule that is no longer valid because the setup has changed; it then hides all rows. */
function boundOrNever(unrestricted: DocumentDefinition, text: string): BoundExpression {
  try {
    return bindFilter(unrestricted, parseFilter(text))
  } catch (error) {
    if (error instanceof QueryError) return NEVER
    throw error
  }
}
