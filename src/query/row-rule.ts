// Which rows of a restricted document are there: the filters of its rules, bound like the filter of a query.
import type { DocumentDefinition } from '../model/document.ts'
import { bindFilter } from './bind.ts'
import type { BoundExpression, BoundValue } from './bound.ts'
import { parseFilter } from './parse/filter.ts'
import { QueryError } from './query-error.ts'

const ONE: BoundValue = { kind: 'value', type: 'integer', value: 1 }

/** No row meets it. */
const NEVER: BoundExpression = { kind: 'compare', op: 'ne', left: ONE, right: ONE }

const known = new WeakMap<DocumentDefinition, BoundExpression>()

/** What every row must meet that is answered, counted or changed; nothing where all are there. */
export function rowRuleOf(definition: DocumentDefinition): BoundExpression | undefined {
  const { restriction } = definition
  if (!restriction?.filters) return undefined
  let rule = known.get(definition)
  if (!rule) {
    const terms = restriction.filters.map((text) => boundOrNever(restriction.whole, text))
    rule = terms.length > 1 ? { kind: 'or', terms } : (terms[0] ?? NEVER)
    known.set(definition, rule)
  }
  return rule
}

/** The filter together with the rule of the rows. */
export function withRowRule(
  definition: DocumentDefinition,
  filter: BoundExpression | undefined,
): BoundExpression | undefined {
  const rule = rowRuleOf(definition)
  if (!rule || !filter) return rule ?? filter
  return { kind: 'and', terms: [rule, filter] }
}

/** A filter that made sense when it was set up and does not any more, because the setup has changed, lets nothing through. */
function boundOrNever(whole: DocumentDefinition, text: string): BoundExpression {
  try {
    return bindFilter(whole, parseFilter(text))
  } catch (error) {
    if (error instanceof QueryError) return NEVER
    throw error
  }
}
