// Resolves names in a query text to properties of a document, case-insensitively.

import { memo } from '../base/memo.ts'
import { nearestName } from '../base/text.ts'
import { countOf, sumOf } from '../model/computed.ts'
import type { AssociationProperty, ListProperty, Properties, Property, ValueProperty } from '../model/document.ts'
import type { Place } from './bound.ts'
import { meaningError, type QueryOption, unknownName } from './parse/query-error.ts'
import { isCount, type PropertyPath } from './parse/tree.ts'

interface NamedProperty {
  /** The name in the response: the documented spelling of the name or alias that was used. */
  readonly name: string
  readonly property: Property
}

/** The properties by name and alias in lower case. */
const knownNames = memo((properties: Properties): ReadonlyMap<string, NamedProperty> => {
  const names = new Map<string, NamedProperty>()
  for (const [name, property] of Object.entries(properties)) {
    const aliases = 'aliases' in property ? (property.aliases ?? []) : []
    for (const one of [name, ...aliases]) names.set(one.toLowerCase(), { name: one, property })
  }
  return names
})

/** The property with a name. Throws a QueryError that suggests the most similar name if there is none. */
export function requireProperty(
  option: QueryOption,
  position: number,
  name: string,
  properties: Properties,
  mayBeString = false,
): NamedProperty {
  const found = knownNames(properties).get(name.toLowerCase())
  if (found) return found
  const known = Object.keys(properties)
  throw unknownName(option, position, name, known, mayBeString, nearestIn(properties, known, name))
}

/** What has the name in a group, or else the most similar one outside of groups, or in one. */
function nearestIn(properties: Properties, known: readonly string[], name: string): string | undefined {
  const inside = pathsInGroups(properties)
  const pathOf = (one: string | undefined) => (one === undefined ? undefined : inside.get(one))
  const nearest = nearestName(name, [...inside.keys()])
  if (nearest?.toLowerCase() === name.toLowerCase()) return pathOf(nearest)
  return nearestName(name, known) ?? pathOf(nearest)
}

/** The first path to each name that is in a group. */
function pathsInGroups(properties: Properties, above = ''): Map<string, string> {
  const paths = new Map<string, string>()
  for (const [name, property] of Object.entries(properties)) {
    if (above !== '' && !paths.has(name)) paths.set(name, above + name)
    if (property.kind !== 'group') continue
    for (const [inner, path] of pathsInGroups(property.properties, `${above}${name}/`)) {
      if (!paths.has(inner)) paths.set(inner, path)
    }
  }
  return paths
}

/** The scope of a path: the properties of the document and the variables of the enclosing lists. */
export interface Surroundings {
  readonly properties: Properties
  /** The variables in scope, the outermost first. */
  readonly items: readonly { readonly variable: string; readonly properties: Properties }[]
}

/** The context of a path, for the suggestion in an error message. */
export interface Use {
  /** The rest of the comparison after the path, such as ` eq 'Oslo'`. */
  readonly rest?: string
  /** Whether a string would be valid in the same position. */
  readonly takesString?: boolean
  /** Whether a property of the items of a list stands for its sum. */
  readonly sumsItems?: boolean
}

interface Found<Kind extends Property> {
  readonly property: Kind
  readonly place: Place
  /** The names of the path in the response. */
  readonly names: readonly string[]
}

/** Resolves a path through groups and associations to a value property. */
export function requireValueProperty(
  option: QueryOption,
  surroundings: Surroundings,
  path: PropertyPath,
  use: Use = {},
): Found<ValueProperty> {
  const { property, place, names, name, position } = follow(option, surroundings, path, use)
  if (property?.kind === 'value') return { property, place, names }
  if (property === undefined)
    throw meaningError(option, position, `'${name}' stands for an item: name one of its properties`)
  if (property.kind === 'list') {
    throw meaningError(option, position, `'${name}' is a list: ask with ${name}/any(x: ...) or ${name}/all(x: ...)`)
  }
  const inside = property.kind === 'association' ? property.document.properties : property.properties
  const example = Object.keys(inside)[0]
  throw meaningError(option, position, `'${name}' is a group: name one of its properties, such as ${name}/${example}`)
}

/** Resolves a path to a list. */
export function requireList(option: QueryOption, surroundings: Surroundings, path: PropertyPath): Found<ListProperty> {
  const { property, place, names } = follow(option, surroundings, path, {})
  if (property?.kind === 'list') return { property, place, names }
  throw meaningError(option, path.position, `'${path.names.join('/')}' is not a list`)
}

interface Followed {
  readonly property: Property | undefined
  readonly place: Place
  readonly names: readonly string[]
  /** The last of them. */
  readonly name: string
  readonly position: number
}

/** Where the number of items of a list may stand. */
const COUNTABLE: ReadonlySet<QueryOption> = new Set(['filter', 'orderby', 'aggregate'])

function follow(
  option: QueryOption,
  { properties, items }: Surroundings,
  { names, position, positions, isExact }: PropertyPath,
  { rest = ' ...', takesString = false, sumsItems = false }: Use,
): Followed {
  const [first = ''] = names
  const mayBeString = takesString && names.length === 1
  const isFirst = (variable: string) => (isExact ? variable === first : variable.toLowerCase() === first.toLowerCase())
  const item = items.findLastIndex(({ variable }) => isFirst(variable))
  let inside: Properties | undefined = item < 0 ? properties : items[item]?.properties
  let property: Property | undefined
  let name = first
  const via: AssociationProperty[] = []
  const found: string[] = item < 0 ? [] : [first]
  for (let at = item < 0 ? 0 : 1; at < names.length; at++) {
    if (property?.kind === 'list' && isCount(names[at]) && at === names.length - 1 && COUNTABLE.has(option)) {
      found.push('$count')
      property = countOf(property)
      break
    }
    if (property?.kind === 'list' && sumsItems) {
      const inside = { names: names.slice(at), position: positions[at] ?? position, positions: positions.slice(at) }
      const summed = sumOfItems(option, property, { ...inside, kind: 'property', ...(isExact ? { isExact } : {}) })
      found.push(...summed.names)
      property = summed.property
      break
    }
    if (property?.kind === 'list') {
      const item = itemName(name, items)
      const suggestion = `${names.slice(0, at).join('/')}/any(${item}: ${item}/${names.slice(at).join('/')}${rest})`
      throw meaningError(option, position, `'${name}' is a list`, option === 'filter' ? `: ask with ${suggestion}` : '')
    }
    if (inside === undefined) throw meaningError(option, position, `'${name}' has no properties inside it`)
    const requested = names[at] ?? ''
    const one = requireProperty(option, positions[at] ?? position, requested, inside, mayBeString)
    if (isExact && one.name !== requested)
      throw unknownName(option, positions[at] ?? position, requested, [one.name], false)
    name = one.name
    found.push(name)
    property = one.property
    inside = innerProperties(property)
    if (property.kind === 'association') via.push(property)
  }
  return { property, place: { item: item < 0 ? undefined : item, via }, names: found, name, position }
}

/** The sum over the items of a list. A double has no exact one. */
function sumOfItems(option: QueryOption, list: ListProperty, path: PropertyPath) {
  const { property, names } = requireValueProperty(option, { properties: list.properties, items: [] }, path)
  if (property.type === 'integer' || property.type === 'decimal' || property.type === 'exact')
    return { property: sumOf(list, property), names }
  const name = path.names.join('/')
  throw meaningError(
    option,
    path.position,
    `'${name}' of items is of type ${property.type}: sums are of integers and decimals`,
  )
}

/** A variable name for the items of a list: the first letter of its name, made unique in the scope. */
function itemName(list: string, items: Surroundings['items']): string {
  const letter = list.charAt(0).toLowerCase()
  return items.some(({ variable }) => variable.toLowerCase() === letter) ? `${letter}${items.length + 1}` : letter
}

function innerProperties(property: Property): Properties | undefined {
  if (property.kind === 'group') return property.properties
  return property.kind === 'association' ? property.document.properties : undefined
}
