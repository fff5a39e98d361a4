// Cache of query plans: a query string, decoded once, has one plan for each document.
import type { DocumentDefinition } from '../model/document.ts'
import { type CollectionOptions, readOptions } from './options.ts'
import { type Plan, planCollection } from './plan.ts'

type Pairs = Parameters<typeof readOptions>[0] & object

export interface Planned {
  readonly options: CollectionOptions
  readonly plan: Plan
}

const cache = new WeakMap<Pairs, WeakMap<DocumentDefinition, Planned>>()

/** Returns the plan for the pairs of a query string. Throws the errors of `readOptions` and `planCollection`. */
export function planOf(definition: DocumentDefinition, pairs: Pairs): Planned {
  const found = cache.get(pairs)?.get(definition)
  if (found) return found
  const options = readOptions(pairs)
  const planned = { options, plan: planCollection(definition, options) }
  const plans = cache.get(pairs) ?? new WeakMap<DocumentDefinition, Planned>()
  cache.set(pairs, plans.set(definition, planned))
  return planned
}
