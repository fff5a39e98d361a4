// Plans of questions that were asked before: the same query string, decoded once, has one plan for each document.
import type { DocumentDefinition } from '../model/document.ts'
import { type CollectionOptions, readOptions } from './options.ts'
import { type Plan, planCollection } from './plan.ts'

type Pairs = Parameters<typeof readOptions>[0] & object

export interface Planned {
  readonly options: CollectionOptions
  readonly plan: Plan
}

const known = new WeakMap<Pairs, WeakMap<DocumentDefinition, Planned>>()

/** The plan that the pairs of a query string ask for. Throws what `readOptions` and `planCollection` throw. */
export function planOf(definition: DocumentDefinition, pairs: Pairs): Planned {
  const found = known.get(pairs)?.get(definition)
  if (found) return found
  const options = readOptions(pairs)
  const planned = { options, plan: planCollection(definition, options) }
  const plans = known.get(pairs) ?? new WeakMap<DocumentDefinition, Planned>()
  known.set(pairs, plans.set(definition, planned))
  return planned
}
