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

const EVERYTHING: SelectItem = { name: '*', position: 0, inside: undefined, description: undefined }

/** What is named beside a `*` adds nothing, and must be legal all the same. */
function planSelect(properties: Properties, items: readonly SelectItem[]): SelectedProperty[] {
  const isWhole = items.some((item) => item.name === '*')
  const wanted = new Map<string, SelectItem[]>()
  for (const item of items) {
    if (item.name === '*') continue
    const [name, property] = requireProperty('select', item.position, item.name, properties)
    requireLegal(name, property.kind, item)
    const others = wanted.get(name)
    if (others) others.push(item)
    else wanted.set(name, [item])
  }
  return Object.entries(properties).flatMap(([name, property]): SelectedProperty[] => {
    const found = wanted.get(name) ?? []
    if (found.length === 0 && !isWhole) return []
    if (property.kind === 'value') return [{ kind: 'value', name, property }]
    const inside = found.flatMap((item) => item.inside ?? [EVERYTHING])
    const selected = planSelect(property.properties, isWhole ? [...inside, EVERYTHING] : inside)
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
