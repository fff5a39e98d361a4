// What an answer has of each record, in the order of the entity type: the names are made by the database.
import { isLines, type ListProperty } from '../../model/document.ts'
import { meaningError, type QueryOption, unknownName } from '../../query/parse/query-error.ts'
import type { SelectItem } from '../../query/parse/tree.ts'
import type { SelectedProperty } from '../../query/plan-select.ts'
import type { EntitySet, ODataProperties, ODataProperty } from '../metadata/entity-set.ts'
import type { ExpandItem } from './lists.ts'

/** All properties without `$select`; navigation properties are answered when they are expanded. */
export function selectedOf(set: EntitySet, items: readonly SelectItem[] | undefined): readonly SelectedProperty[] {
  if (!items) return all(set.properties)
  const structural = items.filter(({ name, inside }) => inside || !set.navigation.has(name))
  return planned('select', set.properties, structural)
}

/** The least that an answer has of a record. */
export function keySelected({ definition, properties }: EntitySet): readonly SelectedProperty[] {
  return all(new Map([...properties].filter(([name]) => definition.key.includes(name))))
}

export function expanded(set: EntitySet, items: readonly ExpandItem[]): readonly SelectedProperty[] {
  const names = new Set<string>()
  return items.map(({ name, position, select }): SelectedProperty => {
    const found = set.navigation.get(name)
    if (!found) {
      if (set.properties.has(name)) throw meaningError('expand', position, `'${name}' is no navigation property`)
      throw unknownName('expand', position, name, [...set.navigation.keys()], false)
    }
    if (names.has(name)) throw meaningError('expand', position, `'${name}' is expanded twice`)
    names.add(name)
    const { property } = found
    if (property.kind === 'list' && !isLines(property)) return itemsOf(set, name, property, found.properties, select)
    const properties = select ? planned('expand', found.properties, select) : all(found.properties)
    if (property.kind === 'list') return { kind: 'list', name, list: property, properties }
    return { kind: 'association', name, association: property, properties }
  })
}

/** Items have the properties that their type declares: the key of their record, their place, and those of the list. */
function itemsOf(
  { lists }: EntitySet,
  name: string,
  list: ListProperty,
  own: ODataProperties,
  select: readonly SelectItem[] | undefined,
): SelectedProperty {
  const items = lists?.get(name)
  if (!items) throw new Error(`the list ${name} has no entity set`)
  const first = items.properties.size - own.size
  const identifying = new Set([...items.properties.keys()].slice(0, first))
  // Named as in the rows of the entity set, and read from the list.
  const inList = [...own.values()]
  const declared = new Map([...items.properties].map(([one, type], at) => [one, inList[at - first] ?? type]))
  const properties = select ? planned('expand', declared, select) : all(declared)
  const place = items.definition.key.at(-1)
  return {
    kind: 'list',
    name,
    list,
    identity: {
      ofRecord: properties.filter((one) => identifying.has(one.name) && one.name !== place),
      position: properties.find((one) => one.name === place),
    },
    properties: properties.filter((one) => !identifying.has(one.name)),
  }
}

function all(properties: ODataProperties): readonly SelectedProperty[] {
  return [...properties].map(([name, property]) => selected(name, property, undefined))
}

/** In the order of the properties; `*` stands for all of them. */
function planned(
  option: QueryOption,
  properties: ODataProperties,
  items: readonly SelectItem[],
): readonly SelectedProperty[] {
  for (const item of items) requireLegal(option, properties, item)
  const isAll = items.some(({ name }) => name === '*')
  return [...properties].flatMap(([name, property]) => {
    const own = items.filter((item) => item.name === name)
    if (isAll || own.some(({ inside }) => !inside)) return selected(name, property, undefined)
    if (own.length === 0) return []
    return selected(
      name,
      property,
      planned(
        option,
        insideOf(property),
        own.flatMap(({ inside = [] }) => inside),
      ),
    )
  })
}

function selected(
  name: string,
  property: ODataProperty,
  inside: readonly SelectedProperty[] | undefined,
): SelectedProperty {
  if (property.kind === 'group') return { kind: 'group', name, properties: inside ?? all(property.properties) }
  return { kind: property.kind === 'text' ? 'description' : 'value', name, property: property.property }
}

function requireLegal(option: QueryOption, properties: ODataProperties, { name, position, inside }: SelectItem): void {
  if (name === '*') return
  const property = properties.get(name)
  if (!property) throw unknownName(option, position, name, [...properties.keys()], false)
  if (inside && property.kind !== 'group') {
    throw meaningError(option, position, `'${name}' has no properties inside it`)
  }
}

const NONE: ODataProperties = new Map()

function insideOf(property: ODataProperty): ODataProperties {
  return property.kind === 'group' ? property.properties : NONE
}
