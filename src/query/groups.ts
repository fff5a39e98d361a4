// The properties by which records are grouped, as columns of the results.
import type { Codes, Column, DocumentDefinition, Source, ValueProperty } from '../model/document.ts'
import type { BoundProperty } from './bound.ts'
import { requireValueProperty } from './names.ts'
import { meaningError, type QueryOption } from './parse/query-error.ts'
import type { GroupItem } from './parse/tree.ts'

/** Results have the company's id too, for descriptions of codes. */
export const COMPANY_COLUMN = 'company'

/** A property by which records are grouped. */
export interface Group {
  /** The column of the results that holds it. */
  readonly column: string
  readonly by: BoundProperty
  /** The names of its path in the answer. */
  readonly names: readonly string[]
  readonly result: ValueProperty
}

interface Named {
  readonly item: GroupItem
  readonly by: BoundProperty
  readonly names: readonly string[]
}

/** A property that is named twice is one column. */
export function planGroups(definition: DocumentDefinition, items: readonly GroupItem[]): readonly Group[] {
  const named = items.map((item): Named => ({ item, ...requireUsable(definition, 'groupby', item.path) }))
  const different = named.filter(({ names }, at) => at === named.findIndex((one) => isSame(one.names, names)))
  for (const one of named) requireAttributeId(one, different)
  return different.map(({ by, names }, at) => {
    const { aliases: _aliases, codes, ...property } = by.property
    const kept = codes && codesOfResult(codes, by, different)
    const result = { ...property, source: { column: columnAt(at) }, ...(kept ? { codes: kept } : {}) }
    return { column: columnAt(at), by, names, result }
  })
}

/** Resolves a path to a property that can be compared; `sumsItems`: or to one of the items of a list, for its sum. */
export function requireUsable(
  definition: DocumentDefinition,
  option: QueryOption,
  path: GroupItem['path'],
  sumsItems = false,
): { readonly by: BoundProperty; readonly names: readonly string[] } {
  const surroundings = { properties: definition.properties, items: [] }
  const { property, place, names } = requireValueProperty(option, surroundings, path, { sumsItems })
  if (property.filterable) return { by: { kind: 'property', type: property.type, property, place }, names }
  throw meaningError(option, path.position, `'${path.names.join('/')}' cannot be used here`)
}

const columnAt = (at: number) => `g${at + 1}`

const isSame = (one: readonly string[], other: readonly string[]) => one.join('/') === other.join('/')

/** Codes of an attribute whose id is in another property are described where that is the same in a whole group. */
function requireAttributeId({ item, by }: Named, all: readonly Named[]): void {
  const { codes } = by.property
  if (!item.description || !codes || !('attributeIdIn' in codes)) return
  if (attributeIdAmong(codes.attributeIdIn, by, all) >= 0) return
  const name = item.path.names.join('/')
  throw meaningError(
    'groupby',
    item.path.position,
    `'${name}' has a description only beside the property with the id of its attribute`,
  )
}

function codesOfResult(codes: Codes, by: BoundProperty, all: readonly Named[]): Codes | undefined {
  if (!('attributeIdIn' in codes)) return codes
  const at = attributeIdAmong(codes.attributeIdIn, by, all)
  return at < 0 ? undefined : { attributeIdIn: { column: columnAt(at) } }
}

/** The position of the property with an attribute's id among the groups, -1 if it is none of them. */
function attributeIdAmong(column: Column, { place }: BoundProperty, all: readonly Named[]): number {
  return all.findIndex(
    ({ by }) => isColumn(by.property.source, column) && by.place.via.every((step, at) => step === place.via[at]),
  )
}

/** Whether a property comes from a column. */
export function isColumn(source: Source, { table, column }: Column): boolean {
  return 'column' in source && source.column === column && source.table === table
}
