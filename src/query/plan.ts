// A legal query of one document, ready to become SQL. It knows nothing of a company.
import { LRUCache } from 'lru-cache'
import type { DocumentDefinition, Properties, ValueProperty } from '../model/document.ts'
import { bindFilter } from './bind.ts'
import type { BoundExpression, BoundProperty } from './bound.ts'
import { requireValueProperty } from './names.ts'
import type { CollectionOptions } from './options.ts'
import { parseFilter } from './parse/filter.ts'
import { parseOrderBy } from './parse/order-by.ts'
import { parseSelect } from './parse/select.ts'
import { planSelect, type SelectedProperty, wholeOf } from './plan-select.ts'
import { withRowRule } from './row-rule.ts'

export interface Ordering {
  readonly by: BoundProperty
  readonly isDescending: boolean
}

export interface Plan {
  readonly definition: DocumentDefinition
  /** In the order of the definition. */
  readonly select: readonly SelectedProperty[]
  readonly filter: BoundExpression | undefined
  /** What was asked, without the rule of the rows that is part of the filter. */
  readonly askedFilter: BoundExpression | undefined
  /** Ends with the key, so that pages never overlap. */
  readonly order: readonly Ordering[]
  readonly offset: number
  /** Absent: all there are. */
  readonly limit: number | undefined
}

/** What a collection answers. Throws a QueryError for the first thing that is wrong in filter, select or orderBy. */
export function planCollection(
  definition: DocumentDefinition,
  options: Pick<CollectionOptions, 'filter' | 'select' | 'orderBy' | 'offset' | 'limit'>,
): Plan {
  const askedFilter = planFilter(definition, options.filter)
  return {
    definition,
    filter: withRowRule(definition, askedFilter),
    askedFilter,
    select: selectOf(definition.properties, options.select),
    order: planOrder(definition, options.orderBy),
    offset: options.offset,
    limit: options.limit,
  }
}

/** A client asks for the same of records whichever it looks for. In characters of the texts, for each document. */
const KNOWN_SELECTS = { maxSize: 20_000, sizeCalculation: (_: unknown, text: string) => text.length + 100 }
const selects = new WeakMap<Properties, LRUCache<string, readonly SelectedProperty[]>>()

function selectOf(properties: Properties, text = ''): readonly SelectedProperty[] {
  const known = selects.get(properties) ?? new LRUCache<string, readonly SelectedProperty[]>(KNOWN_SELECTS)
  selects.set(properties, known)
  let select = known.get(text)
  if (!select) {
    select = text === '' ? wholeOf(properties) : planSelect(properties, parseSelect(text))
    known.set(text, select)
  }
  return select
}

/** What a filter leaves, to be counted. */
export function planFilter(definition: DocumentDefinition, filter: string | undefined): BoundExpression | undefined {
  return filter === undefined ? undefined : bindFilter(definition, parseFilter(filter))
}

function planOrder(definition: DocumentDefinition, orderBy: string | undefined): Plan['order'] {
  const surroundings = { properties: definition.properties, items: [] }
  const asked = (orderBy === undefined ? [] : parseOrderBy(orderBy)).map(({ path, isDescending }) => {
    const { property, place } = requireValueProperty('orderby', surroundings, path)
    return { by: { kind: 'property' as const, type: property.type, property, place }, isDescending }
  })
  const key = definition.key.map((name) => ({ by: keyProperty(definition, name), isDescending: false }))
  // A property that is there already decides nothing the second time.
  return [...asked, ...key].filter((one, at, all) => all.findIndex((other) => isSame(one.by, other.by)) === at)
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
  const place = { item: undefined, via: [] }
  return { kind: 'property', type: property.type, property: property as ValueProperty, place }
}
