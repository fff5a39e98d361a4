// What is computed of a record is in no text of the log: it is asked of the states that the log knows.
import { memo } from '../base/memo.ts'
import type { DocumentDefinition } from '../model/document.ts'
import { linesIn } from '../query/mentions.ts'
import { type Plan, planCollection } from '../query/plan.ts'
import { rowRuleOf } from '../query/row-rule.ts'

/** The plan of all computed properties that a definition shows; undefined where it shows none. */
export const planOfComputed = memo((definition: DocumentDefinition): { readonly plan: Plan | undefined } => {
  const names = computedOf(definition)
  return { plan: names.length === 0 ? undefined : planOf(definition, names) }
})

/** The plan that answers a record where its row rule asks for its lines; undefined where it does not. */
export const planOfLinesRule = memo((definition: DocumentDefinition): { readonly plan: Plan | undefined } => {
  const rule = { filter: rowRuleOf(definition), select: [], order: [] }
  return { plan: linesIn(rule).length === 0 ? undefined : planOf(definition, definition.key.slice(-1)) }
})

function computedOf({ properties }: DocumentDefinition): string[] {
  return Object.entries(properties).flatMap(([name, property]) =>
    property.kind === 'value' && 'computed' in property.source ? [name] : [],
  )
}

/** The row rule is a condition of every plan. */
function planOf(definition: DocumentDefinition, select: readonly string[]): Plan {
  return planCollection(definition, {
    filter: undefined,
    select: select.join(),
    orderBy: undefined,
    offset: 0,
    limit: 1,
  })
}
