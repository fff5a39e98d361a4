// What a select text chooses of a document: properties, what is inside them, and descriptions.
import {
  type AssociationProperty,
  isByDefault,
  type ListProperty,
  type Properties,
  type Property,
  type ValueProperty,
} from '../model/document.ts'
import { requireProperty } from './names.ts'
import type { SelectItem } from './parse/tree.ts'
import { meaningError } from './query-error.ts'

export type SelectedProperty =
  | { readonly kind: 'value' | 'description'; readonly name: string; readonly property: ValueProperty }
  | { readonly kind: 'group'; readonly name: string; readonly properties: readonly SelectedProperty[] }
  | {
      readonly kind: 'list'
      readonly name: string
      readonly list: ListProperty
      readonly properties: readonly SelectedProperty[]
    }
  | {
      readonly kind: 'association'
      readonly name: string
      readonly association: AssociationProperty
      readonly properties: readonly SelectedProperty[]
    }

/** What is answered without a select: values and groups; lists, associations and custom fields must be named. */
export function wholeOf(properties: Properties): SelectedProperty[] {
  return Object.entries(properties).flatMap(([name, property]) =>
    isByDefault(property) ? selected(name, property, [EVERYTHING]) : [],
  )
}

const EVERYTHING: SelectItem = { name: '*', position: 0, inside: undefined, description: undefined }

/** The properties in the order of the definition. What is named beside a `*` must be legal all the same. */
export function planSelect(properties: Properties, items: readonly SelectItem[]): SelectedProperty[] {
  const isWhole = items.some((item) => item.name === '*')
  const asked = new Map<Property, Map<string, SelectItem[]>>()
  for (const item of items) {
    if (item.name === '*') continue
    const { name, property } = requireProperty('select', item.position, item.name, properties)
    requireLegal(name, property, item)
    const byName = asked.get(property) ?? new Map<string, SelectItem[]>()
    byName.set(name, [...(byName.get(name) ?? []), item])
    asked.set(property, byName)
  }
  return Object.entries(properties).flatMap(([name, property]) => {
    const byName = asked.get(property) ?? new Map<string, SelectItem[]>()
    if (isWhole && isByDefault(property)) byName.set(name, [...(byName.get(name) ?? []), EVERYTHING])
    return [...byName].flatMap(([one, wanted]) => selected(one, property, wanted))
  })
}

/** One property under the name that it was asked for by; several items of a name add up. */
function selected(name: string, property: Property, items: readonly SelectItem[]): SelectedProperty[] {
  if (property.kind === 'value') {
    const hasDescription = items.some((item) => item.description)
    const hasCode = items.some((item) => item.description !== 'T')
    return [
      ...(hasCode ? [{ kind: 'value' as const, name, property }] : []),
      ...(hasDescription ? [{ kind: 'description' as const, name: `${name}(description)`, property }] : []),
    ]
  }
  const inside = items.flatMap((item) => item.inside ?? [EVERYTHING])
  switch (property.kind) {
    case 'group': {
      const chosen = property.isComplex ? [...inside, EVERYTHING] : inside
      return [{ kind: 'group', name, properties: planSelect(property.properties, chosen) }]
    }
    case 'list':
      return [{ kind: 'list', name, list: property, properties: planSelect(property.properties, inside) }]
    case 'association': {
      const properties = planSelect(property.document.properties, inside)
      return [{ kind: 'association', name, association: property, properties }]
    }
  }
}

function requireLegal(name: string, property: Property, { position, inside, description }: SelectItem): void {
  if (description && !(property.kind === 'value' && property.codes)) {
    throw meaningError('select', position, `'${name}' has no description`)
  }
  if (property.kind === 'value' && inside) {
    throw meaningError('select', position, `'${name}' has no properties inside it`)
  }
}
