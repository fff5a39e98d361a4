// Names in a query text to properties of a document, without regard to case.
import type { DocumentDefinition, GroupProperty, Property, ValueProperty } from '../model/document.ts'
import type { PropertyPath } from './parse/tree.ts'
import { meaningError, type QueryOption, unknownName } from './query-error.ts'

export type Properties = Readonly<Record<string, Property>>

/** The property of a name in its documented spelling. Throws a QueryError naming the nearest one when there is none. */
export function requireProperty(
  option: QueryOption,
  position: number,
  name: string,
  properties: Properties,
): readonly [name: string, property: Property] {
  const folded = name.toLowerCase()
  const found = Object.keys(properties).find((known) => known === name || known.toLowerCase() === folded)
  const property = found === undefined ? undefined : properties[found]
  if (found === undefined || !property) throw unknownName(option, position, name, Object.keys(properties))
  return [found, property]
}

/** The simple property at the end of a path through groups. */
export function requireValueProperty(
  option: QueryOption,
  definition: DocumentDefinition,
  { names, position }: PropertyPath,
): ValueProperty {
  let properties: Properties = definition.properties
  let group: readonly [string, GroupProperty] | undefined
  for (const [at, name] of names.entries()) {
    const [found, property] = requireProperty(option, position, name, properties)
    if (property.kind === 'value') {
      if (at < names.length - 1) throw meaningError(option, position, `'${found}' has no properties inside it`)
      return property
    }
    group = [found, property]
    properties = property.properties
  }
  const [name, { properties: inside }] = group ?? ['', { properties: {} }]
  const example = Object.keys(inside)[0]
  throw meaningError(option, position, `'${name}' is a group: name one of its properties, such as ${name}/${example}`)
}
