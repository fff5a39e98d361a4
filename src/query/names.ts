// Names in a query text to properties of a document, without regard to case.

import type { AssociationProperty, ListProperty, Properties, Property, ValueProperty } from '../model/document.ts'
import type { Place } from './bound.ts'
import type { PropertyPath } from './parse/tree.ts'
import { meaningError, type QueryOption, unknownName } from './query-error.ts'

interface Known {
  /** As it is answered: the documented spelling, or that of the other name that was given. */
  readonly name: string
  readonly property: Property
}

const known = new WeakMap<Properties, Map<string, Known>>()

/** By name in lower case, other names too; made once for each set of properties. */
function knownNames(properties: Properties): Map<string, Known> {
  let names = known.get(properties)
  if (!names) {
    names = new Map()
    for (const [name, property] of Object.entries(properties)) {
      const aliases = 'aliases' in property ? (property.aliases ?? []) : []
      for (const one of [name, ...aliases]) names.set(one.toLowerCase(), { name: one, property })
    }
    known.set(properties, names)
  }
  return names
}

/** The property of a name. Throws a QueryError naming the nearest one when there is none. */
export function requireProperty(
  option: QueryOption,
  position: number,
  name: string,
  properties: Properties,
  mayBeString = false,
): Known {
  const found = knownNames(properties).get(name.toLowerCase())
  if (!found) throw unknownName(option, position, name, Object.keys(properties), mayBeString)
  return found
}

/** What the names of a path may begin with: properties of the document, or variables of the lists around it. */
export interface Surroundings {
  readonly properties: Properties
  /** The variables in scope, the outermost first. */
  readonly items: readonly { readonly variable: string; readonly properties: Properties }[]
}

/** Where a path stands: a refusal tells how it would be right there. */
export interface Use {
  /** The rest of the comparison, such as ` eq 'Oslo'`. */
  readonly rest?: string
  /** A string could stand there too. */
  readonly takesString?: boolean
}

interface Found<Kind extends Property> {
  readonly property: Kind
  readonly place: Place
}

/** The simple property at the end of a path through groups and associations. */
export function requireValueProperty(
  option: QueryOption,
  surroundings: Surroundings,
  path: PropertyPath,
  use: Use = {},
): Found<ValueProperty> {
  const { property, place, name, position } = follow(option, surroundings, path, use)
  if (property?.kind === 'value') return { property, place }
  if (property === undefined)
    throw meaningError(option, position, `'${name}' stands for an item: name one of its properties`)
  if (property.kind === 'list') {
    throw meaningError(option, position, `'${name}' is a list: ask with ${name}/any(x: ...) or ${name}/all(x: ...)`)
  }
  const inside = property.kind === 'association' ? property.document.properties : property.properties
  const example = Object.keys(inside)[0]
  throw meaningError(option, position, `'${name}' is a group: name one of its properties, such as ${name}/${example}`)
}

/** The list at the end of a path. */
export function requireList(option: QueryOption, surroundings: Surroundings, path: PropertyPath): Found<ListProperty> {
  const { property, place } = follow(option, surroundings, path, {})
  if (property?.kind === 'list') return { property, place }
  throw meaningError(option, path.position, `'${path.names.join('/')}' is not a list`)
}

function follow(
  option: QueryOption,
  { properties, items }: Surroundings,
  { names, position, positions }: PropertyPath,
  { rest = ' ...', takesString = false }: Use,
) {
  const [first = ''] = names
  const mayBeString = takesString && names.length === 1
  const item = items.findLastIndex(({ variable }) => variable.toLowerCase() === first.toLowerCase())
  let inside: Properties | undefined = item < 0 ? properties : items[item]?.properties
  let property: Property | undefined
  let name = first
  const via: AssociationProperty[] = []
  for (let at = item < 0 ? 0 : 1; at < names.length; at++) {
    if (property?.kind === 'list') {
      const item = itemName(name, items)
      const asked = `${names.slice(0, at).join('/')}/any(${item}: ${item}/${names.slice(at).join('/')}${rest})`
      throw meaningError(option, position, `'${name}' is a list`, option === 'filter' ? `: ask with ${asked}` : '')
    }
    if (inside === undefined) throw meaningError(option, position, `'${name}' has no properties inside it`)
    const found = requireProperty(option, positions[at] ?? position, names[at] ?? '', inside, mayBeString)
    name = found.name
    property = found.property
    inside = insideOf(property)
    if (property.kind === 'association') via.push(property)
  }
  return { property, place: { item: item < 0 ? undefined : item, via }, name, position }
}

/** A variable for the items of a list: the first letter of its name, unless that is one already. */
function itemName(list: string, items: Surroundings['items']): string {
  const letter = list.charAt(0).toLowerCase()
  return items.some(({ variable }) => variable.toLowerCase() === letter) ? `${letter}${items.length + 1}` : letter
}

function insideOf(property: Property): Properties | undefined {
  if (property.kind === 'group') return property.properties
  return property.kind === 'association' ? property.document.properties : undefined
}
