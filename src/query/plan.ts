// A legal query of one document, ready to become SQL. It knows nothing of a company.
import type { DocumentDefinition, ValueProperty } from '../model/document.ts'
import { bindFilter } from './bind.ts'
import type { BoundExpression } from './bound.ts'
import { type Properties, requireProperty, requireValueProperty } from './names.ts'
import { type CollectionOptions, MAX_LIMIT } from './options.ts'
import { parseFilter } from './parse/filter.ts'
import { parseOrderBy } from './parse/order-by.ts'
import { parseSelect } from './parse/select.ts'
import type { SelectItem } from './parse/tree.ts'
import { meaningError } from './query-error.ts'

export type SelectedProperty =
  | { readonly kind: 'value'; readonly name: string; readonly property: ValueProperty }
  | { readonly kind: 'group'; readonly name: string; readonly properties: readonly SelectedProperty[] }

export interface Plan {
  readonly definition: DocumentDefinition
  /** In the order of the definition. */
  readonly select: readonly SelectedProperty[]
  readonly filter: BoundExpression | undefined
  /** Ends with the key, so that pages never overlap. */
  readonly order: readonly { readonly property: ValueProperty; readonly isDescending: boolean }[]
  readonly offset: number
  readonly limit: number
}

/** What a collection answers. Throws a QueryError for the first thing that is wrong in filter, select or orderBy. */
export function planCollection(definition: DocumentDefinition, options: CollectionOptions): Plan {
  return Object.freeze({
    definition,
    filter: planFilter(definition, options.filter),
    select:
      options.select === undefined
        ? wholeOf(definition.properties)
        : planSelect(definition.properties, parseSelect(options.select)),
    order: planOrder(definition, options.orderBy),
    offset: options.offset,
    limit: options.limit ?? MAX_LIMIT,
  })
}

/** What a filter leaves, to be counted. */
export function planFilter(definition: DocumentDefinition, filter: string | undefined): BoundExpression | undefined {
  return filter === undefined ? undefined : bindFilter(definition, parseFilter(filter))
}

function wholeOf(properties: Properties): SelectedProperty[] {
  return Object.entries(properties).map(([name, property]) =>
    property.kind === 'value'
      ? { kind: 'value', name, property }
      : { kind: 'group', name, properties: wholeOf(property.properties) },
  )
}

function planSelect(properties: Properties, items: readonly SelectItem[]): SelectedProperty[] {
  if (items.some((item) => item.name === '*')) return wholeOf(properties)
  const wanted = new Map<string, SelectItem[]>()
  for (const item of items) {
    const [name] = requireProperty('select', item.position, item.name, properties)
    wanted.set(name, [...(wanted.get(name) ?? []), item])
  }
  return Object.entries(properties).flatMap(([name, property]): SelectedProperty[] => {
    const found = wanted.get(name)
    if (!found) return []
    for (const item of found) requireLegal(name, property.kind, item)
    if (property.kind === 'value') return [{ kind: 'value', name, property }]
    const inside = found.every((item) => item.inside) ? found.flatMap((item) => item.inside ?? []) : undefined
    const selected = inside ? planSelect(property.properties, inside) : wholeOf(property.properties)
    return [{ kind: 'group', name, properties: selected }]
  })
}

function requireLegal(name: string, kind: 'value' | 'group', item: SelectItem): void {
  if (item.description) throw meaningError('select', item.position, `'${name}' has no description`)
  if (kind === 'value' && item.inside)
    throw meaningError('select', item.position, `'${name}' has no properties inside it`)
}

function planOrder(definition: DocumentDefinition, orderBy: string | undefined): Plan['order'] {
  const asked = (orderBy === undefined ? [] : parseOrderBy(orderBy)).map(({ path, isDescending }) => ({
    property: requireValueProperty('orderby', definition, path),
    isDescending,
  }))
  const key = definition.key.map((name) => ({ property: keyProperty(definition, name), isDescending: false }))
  // A property that is there already decides nothing the second time.
  return [...asked, ...key].filter((one, at, all) => all.findIndex((other) => other.property === one.property) === at)
}

function keyProperty(definition: DocumentDefinition, name: string): ValueProperty {
  const property = definition.properties[name]
  if (property?.kind !== 'value') throw new Error(`the key ${name} of ${definition.name} is no simple property`)
  return property
}
