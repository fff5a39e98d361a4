// A validated query of one document, ready to be compiled to SQL. It does not depend on a company.

import { LRUCache } from 'lru-cache'
import { getOrInsert, memo } from '../base/memo.ts'
import type { DocumentDefinition, Properties, ValueProperty } from '../model/document.ts'
import { bindFilter } from './bind.ts'
import type { BoundExpression, BoundProperty } from './bound.ts'
import { requireValueProperty } from './names.ts'
import type { CollectionOptions } from './options.ts'
import { parseFilter } from './parse/filter.ts'
import { parseOrderBy } from './parse/order-by.ts'
import { planTogether } from './parse/query-error.ts'
import { parseSelect } from './parse/select.ts'
import type { OrderItem } from './parse/tree.ts'
import { type Grouping, type GroupingOptions, planGrouping } from './plan-grouping.ts'
import { planSelect, type SelectedProperty, wholeOf } from './plan-select.ts'
import { withRowRule } from './row-rule.ts'

export interface Ordering {
  readonly by: BoundProperty
  readonly isDescending: boolean
}

export interface Plan {
  readonly definition: DocumentDefinition
  /** The selected properties in the order of the definition. */
  readonly select: readonly SelectedProperty[]
  /** The same in the order of the query, as columns have it. */
  readonly columns: readonly SelectedProperty[]
  readonly filter: BoundExpression | undefined
  /** The filter of the query itself, without the row rule that is part of `filter`. */
  readonly requestedFilter: BoundExpression | undefined
  /**
   * The order of the answer, which ends with the key, so that pages never overlap; of a grouped query, the order in
   * which records are found by group.
   */
  readonly order: readonly Ordering[]
  /** The answer is not the records, but what is computed of groups of them. */
  readonly grouping?: Grouped
  readonly offset: number
  /** Undefined for all records. */
  readonly limit: number | undefined
}

export interface Grouped extends Grouping {
  /** The order of the results, which ends with the properties of the groups. */
  readonly order: readonly Ordering[]
}

type Options = Pick<CollectionOptions, 'filter' | 'select' | 'orderBy' | 'offset' | 'limit'> & GroupingOptions

/** Plans a query of a collection. Throws a QueryError with the first error of each option. */
export function planCollection(definition: DocumentDefinition, options: Options): Plan {
  const { requestedFilter, answer } = planTogether({
    requestedFilter: () => planFilter(definition, options.filter),
    answer: () => planGroups(definition, options) ?? planRecords(definition, options),
  })
  return {
    definition,
    filter: withRowRule(definition, requestedFilter),
    requestedFilter,
    ...answer,
    offset: options.offset,
    limit: options.limit,
  }
}

function planRecords(definition: DocumentDefinition, { select, orderBy }: Options): Selection & Pick<Plan, 'order'> {
  const { selection, order } = planTogether({
    selection: () => selectOf(definition.properties, select),
    order: () => planOrder(definition, orderBy, keyProperties(definition)),
  })
  return { ...selection, order }
}

/** The properties that identify a record within its company. */
export function keyProperties(definition: DocumentDefinition): BoundProperty[] {
  return definition.key.map((name) => keyProperty(definition, name))
}

function planGroups(definition: DocumentDefinition, options: Options) {
  const grouping = planGrouping(definition, options)
  if (!grouping) return undefined
  const order = planOrder(grouping.result, options.orderBy, keyOfGroups(grouping))
  return groupedBy({ ...grouping, order })
}

/** The properties that identify a group. */
export function keyOfGroups({ groups }: Grouping): BoundProperty[] {
  return groups.map(({ result: property }) => ownProperty(property))
}

/** What a plan has of the groups of records. */
export function groupedBy(grouping: Grouped) {
  const { select, groups } = grouping
  const byGroup = groups.map(({ by }) => ({ by, isDescending: false }))
  return { select, columns: select, order: byGroup, grouping }
}

/**
 * Cache of select texts, because clients repeat them with different filters. The size is in characters, for each
 * document.
 */
const CACHE_OPTIONS = { maxSize: 20_000, sizeCalculation: (_: unknown, text: string) => text.length + 100 }
type Selection = Pick<Plan, 'select' | 'columns'>
const selectsOf = memo((_properties: Properties) => new LRUCache<string, Selection>(CACHE_OPTIONS))

function selectOf(properties: Properties, text = ''): Selection {
  return getOrInsert<string, Selection>(selectsOf(properties), text, () => {
    const items = text === '' ? undefined : parseSelect(text)
    const select = items ? planSelect(properties, items) : wholeOf(properties)
    return { select, columns: items ? planSelect(properties, items, 'requested') : select }
  })
}

/** Plans a filter alone, for counts. */
export function planFilter(definition: DocumentDefinition, filter: string | undefined): BoundExpression | undefined {
  return filter === undefined ? undefined : bindFilter(definition, parseFilter(filter, true))
}

function planOrder(
  { properties }: DocumentDefinition,
  orderBy: string | undefined,
  key: readonly BoundProperty[],
): Plan['order'] {
  return orderOf(properties, orderBy === undefined ? [] : parseOrderBy(orderBy), key)
}

/** The order that ends with the key. */
export function orderOf(
  properties: Properties,
  items: readonly OrderItem[],
  key: readonly BoundProperty[],
): Plan['order'] {
  const surroundings = { properties, items: [] }
  const requested = items.map(({ path, isDescending }) => {
    const { property, place } = requireValueProperty('orderby', surroundings, path)
    return { by: { kind: 'property' as const, type: property.type, property, place }, isDescending }
  })
  const last = key.map((by) => ({ by, isDescending: false }))
  // A repeated property has no effect on the order.
  return [...requested, ...last].filter((one, at, all) => all.findIndex((other) => isSame(one.by, other.by)) === at)
}

function isSame(one: BoundProperty, other: BoundProperty): boolean {
  const [via, otherVia] = [one.place.via, other.place.via]
  return (
    one.property === other.property && via.length === otherVia.length && via.every((step, at) => step === otherVia[at])
  )
}

function keyProperty(definition: DocumentDefinition, name: string): BoundProperty {
  const property = definition.properties[name]
  if (property?.kind !== 'value') throw new Error(`the key ${name} of ${definition.name} is no simple property`)
  return ownProperty(property)
}

function ownProperty(property: ValueProperty): BoundProperty {
  return { kind: 'property', type: property.type, property, place: { item: undefined, via: [] } }
}
