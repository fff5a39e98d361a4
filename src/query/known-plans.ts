// Caches of query plans. The same decoded query string has one plan for each document. Queries that differ only in the
// values of their filters have one shape: the plan of the first serves the others, with their own values.
import { LRUCache } from 'lru-cache'
import { CarriedValues, memo } from '../base/memo.ts'
import type { DocumentDefinition } from '../model/document.ts'
import { optionOf, QUERY_OPTIONS } from '../model/option-names.ts'
import type { BoundExpression, BoundOperand } from './bound.ts'
import { type BoundValue, noted, type PlainValue, type Reusable } from './bound-value.ts'
import { literalAs } from './literals.ts'
import { type CollectionOptions, readOptions } from './options.ts'
import { QueryError } from './parse/query-error.ts'
import { shapeOf } from './parse/tokens.ts'
import type { Literal } from './parse/tree.ts'
import { type Plan, planCollection } from './plan.ts'
import { withRowRule } from './row-rule.ts'

type Pairs = Parameters<typeof readOptions>[0] & object

export interface Planned {
  readonly options: CollectionOptions
  readonly plan: Plan
}

/** What the plan of one query shares with those of other values, and its own. */
interface ShapedValues {
  /** The same object for all of them. */
  readonly shape: object
  /** By the numbers of their literals. */
  readonly values: readonly PlainValue[]
}

/** A query string of which only the values of the filter may be others. */
interface Requested {
  readonly key: string
  readonly filter: string
  readonly literals: readonly Literal[]
}

const plansOf = memo(
  (pairs: Pairs) => memo((definition: DocumentDefinition) => planByShape(definition, pairs)),
  new CarriedValues(),
)

/** In characters, for each document. */
const CACHE_OPTIONS = { maxSize: 50_000, sizeCalculation: (_: unknown, key: string) => key.length + 200 }
const plansByShape = memo((_definition: DocumentDefinition) => new LRUCache<string, Reusable<Planned>>(CACHE_OPTIONS))

/** By identity: a plan that is made of another one has another shape. */
const shaped = new CarriedValues<Plan, ShapedValues>()

/** Undefined for a plan that has no shape in common with others. */
export function shapeOfPlan(plan: Plan): ShapedValues | undefined {
  return shaped.get(plan)
}

/** Returns the plan for the pairs of a query string. Throws the errors of `readOptions` and `planCollection`. */
export function planOf(definition: DocumentDefinition, pairs: Pairs): Planned {
  return plansOf(pairs)(definition)
}

function planByShape(definition: DocumentDefinition, pairs: Pairs): Planned {
  const requested = requestedIn(pairs)
  if (!requested) return planAnew(definition, pairs)
  const plans = plansByShape(definition)
  const first = plans.get(requested.key)
  if (first) return planLike(first, requested) ?? planAnew(definition, pairs)
  const made = noted(() => planAnew(definition, pairs))
  if (!hasValues(made.made.plan, requested.literals)) return made.made
  plans.set(requested.key, made)
  return planLike(made, requested) ?? made.made
}

function planAnew(definition: DocumentDefinition, pairs: Pairs): Planned {
  const options = readOptions(pairs)
  return { options, plan: planCollection(definition, options) }
}

/** Undefined when a filter that is not blank is not given just once, or has no values. Throws for an unknown option. */
function requestedIn(pairs: Pairs): Requested | undefined {
  const texts: string[] = []
  let found: Omit<Requested, 'key'> | undefined
  for (const [name, value] of pairs) {
    const option = optionOf(name, QUERY_OPTIONS)
    // Nothing is planned by a parameter that is no option, whose values may be new each time.
    if (option === undefined) continue
    const isFilter = option === 'filter'
    const slots = isFilter ? shapeOf(value) : undefined
    if (isFilter && (found || !slots || slots.literals.length === 0)) return undefined
    if (slots) found = { filter: value, literals: slots.literals }
    texts.push(name, slots ? slots.shape : value)
  }
  return found && { key: JSON.stringify(texts), ...found }
}

/** Whether the values of the filter are just these: so the shape that was read tells how the filter was parsed. */
function hasValues({ requestedFilter }: Plan, literals: readonly Literal[]): boolean {
  const found = literalsIn(requestedFilter)
  return found.length === literals.length && found.every((one) => isSame(one, literals[one.at ?? -1]))
}

function literalsIn(filter: Plan['filter']): Literal[] {
  const found: Literal[] = []
  if (!filter) return found
  withValues(filter, (value) => {
    if (value.literal?.at !== undefined) found.push(value.literal)
    return value
  })
  return found
}

function isSame(one: Literal, other: Literal | undefined): boolean {
  return one.type === other?.type && one.text === other.text && one.position === other.position
}

/** The plan for other values; undefined when it does not serve these, or one of them is not legal. */
function planLike(first: Reusable<Planned>, { filter, literals }: Requested): Planned | undefined {
  const { options, plan } = first.made
  const values: PlainValue[] = []
  try {
    const requestedFilter =
      plan.requestedFilter && withValues(plan.requestedFilter, (value) => valueLike(value, literals, values))
    if (!first.serves(values)) return undefined
    const own = { ...plan, filter: withRowRule(plan.definition, requestedFilter), requestedFilter }
    shaped.set(own, { shape: first, values })
    return { options: { ...options, filter }, plan: own }
  } catch (error) {
    if (error instanceof QueryError) return undefined
    throw error
  }
}

/** The value that the literal with the same number has, made as the first one. */
function valueLike(first: BoundValue, literals: readonly Literal[], values: PlainValue[]): BoundValue {
  const at = first.literal?.at
  const literal = at === undefined ? undefined : literals[at]
  if (at === undefined || !literal) return first
  const made = literalAs(literal, first.type)
  values[at] = made.value
  return made
}

/** The same condition with other values. */
export function withValues(filter: BoundExpression, other: (value: BoundValue) => BoundValue): BoundExpression {
  const inOperand = (operand: BoundOperand): BoundOperand => {
    if (operand.kind === 'value') return other(operand)
    return operand.kind === 'call' ? { ...operand, args: operand.args.map(inOperand) } : operand
  }
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { kind: filter.kind, terms: filter.terms.map((term) => withValues(term, other)) }
    case 'not':
      return { kind: 'not', term: withValues(filter.term, other) }
    case 'compare':
      return { kind: 'compare', op: filter.op, left: inOperand(filter.left), right: inOperand(filter.right) }
    case 'in':
      return { kind: 'in', operand: inOperand(filter.operand), values: filter.values.map(other) }
    case 'test':
      return { kind: 'test', operand: inOperand(filter.operand) }
    case 'any':
    case 'all':
      return filter.body ? { ...filter, body: withValues(filter.body, other) } : filter
    case 'words':
      return filter
  }
}
