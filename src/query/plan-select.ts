// Plans a select text for a document: the properties, their inner properties, and descriptions of codes.
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

/**
 * The properties returned without a select: values and groups. Lists, associations and custom fields must be selected.
 */
export function wholeOf(properties: Properties): SelectedProperty[] {
  return Object.entries(properties).flatMap(([name, property]) =>
    isByDefault(property) ? selected(name, property, [EVERYTHING]) : [],
  )
}

const EVERYTHING: SelectItem = { name: '*', position: 0, inside: undefined, description: undefined }

/** Plans the selected properties in the order of the definition. Names next to a `*` must be legal too. */
export function planSelect(properties: Properties, items: readonly SelectItem[]): SelectedProperty[] {
  const selectsAll = items.some((item) => item.name === '*')
  const itemsByProperty = new Map<Property, Map<string, SelectItem[]>>()
  for (const item of items) {
    if (item.name === '*') continue
    const { name, property } = requireProperty('select', item.position, item.name, properties)
    requireLegal(name, property, item)
    const byName = itemsByProperty.get(property) ?? new Map<string, SelectItem[]>()
    byName.set(name, [...(byName.get(name) ?? []), item])
    itemsByProperty.set(property, byName)
  }
  return Object.entries(properties).flatMap(([name, property]) => {
    const byName = itemsByProperty.get(property) ?? new Map<string, SelectItem[]>()
    if (selectsAll && isByDefault(property)) byName.set(name, [...(byName.get(name) ?? []), EVERYTHING])
    return [...byName].flatMap(([one, namedItems]) => selected(one, property, namedItems))
  })
}

/** Selects one property under the name that the query uses. Several items with one name are merged. */
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
