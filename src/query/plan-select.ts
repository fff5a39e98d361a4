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
import { meaningError } from './parse/query-error.ts'
import type { SelectItem } from './parse/tree.ts'

export type SelectedProperty =
  | { readonly kind: 'value' | 'description'; readonly name: string; readonly property: ValueProperty }
  | { readonly kind: 'group'; readonly name: string; readonly properties: readonly SelectedProperty[] }
  | {
      readonly kind: 'list'
      readonly name: string
      readonly list: ListProperty
      /** What items have before their own properties. */
      readonly identity?: ItemIdentity
      readonly properties: readonly SelectedProperty[]
    }
  | {
      readonly kind: 'association'
      readonly name: string
      readonly association: AssociationProperty
      readonly properties: readonly SelectedProperty[]
    }

/** What identifies an item, as its rows have it (see `unfolded`). */
interface ItemIdentity {
  /** Read from its record. */
  readonly ofRecord: readonly SelectedProperty[]
  readonly position: SelectedProperty | undefined
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

/** The order of the definition, or that in which a query names its properties; `*` names all others. */
type Order = 'defined' | 'requested'

/** Plans the selected properties. Names next to a `*` must be legal too. */
export function planSelect(
  properties: Properties,
  items: readonly SelectItem[],
  order: Order = 'defined',
): SelectedProperty[] {
  const itemsByProperty = new Map<Property, Map<string, SelectItem[]>>()
  const add = (property: Property, name: string, item: SelectItem) => {
    const byName = itemsByProperty.get(property) ?? new Map<string, SelectItem[]>()
    byName.set(name, [...(byName.get(name) ?? []), item])
    itemsByProperty.set(property, byName)
  }
  // In the order of the definition, the names that a query gives a property stand before its own.
  const starLast = (one: SelectItem, other: SelectItem) => Number(one.name === '*') - Number(other.name === '*')
  for (const item of order === 'requested' ? items : items.toSorted(starLast)) {
    if (item.name === '*') {
      for (const [name, property] of Object.entries(properties))
        if (isByDefault(property)) add(property, name, EVERYTHING)
      continue
    }
    const { name, property } = requireProperty('select', item.position, item.name, properties)
    requireLegal(name, property, item)
    add(property, name, item)
  }
  const ordered = order === 'requested' ? [...itemsByProperty.keys()] : Object.values(properties)
  return ordered.flatMap((property) =>
    [...(itemsByProperty.get(property) ?? [])].flatMap(([name, named]) => selected(name, property, named, order)),
  )
}

/** Selects one property under the name that the query uses. Several items with one name are merged. */
function selected(
  name: string,
  property: Property,
  items: readonly SelectItem[],
  order: Order = 'defined',
): SelectedProperty[] {
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
      return [{ kind: 'group', name, properties: planSelect(property.properties, chosen, order) }]
    }
    case 'list':
      return [{ kind: 'list', name, list: property, properties: planSelect(property.properties, inside) }]
    case 'association': {
      const properties = planSelect(property.document.properties, inside, order)
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
