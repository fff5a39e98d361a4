// `$metadata`: the entity sets of a caller in CSDL 4.0 (XML).
import type { ValueProperty, ValueType } from '../../model/document.ts'
import type { EntitySet, ODataProperties, ODataProperty } from '../entity-set.ts'

const NAMESPACE = 'Tabularium'
const CAPABILITIES = 'Org.OData.Capabilities.V1'
const HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.0">
<edmx:Reference Uri="https://oasis-tcs.github.io/odata-vocabularies/vocabularies/${CAPABILITIES}.xml"><edmx:Include Namespace="${CAPABILITIES}"/></edmx:Reference>
<edmx:DataServices><Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="${NAMESPACE}">`
const TAIL = '</Schema></edmx:DataServices></edmx:Edmx>'

const TYPES: Readonly<Record<ValueType, string>> = {
  string: 'Edm.String',
  integer: 'Edm.Int64',
  number: 'Edm.Double',
  decimal: 'Edm.Decimal',
  exact: 'Edm.Decimal',
  boolean: 'Edm.Boolean',
  'date-time': 'Edm.DateTimeOffset',
}
/** Of all decimals that a record holds. */
const PRECISION = 18

export function metadataXml(sets: readonly EntitySet[]): string {
  const types = sets.flatMap((set) => [entityType(set, sets), ...complexTypes(set.name, set.properties)])
  const container = sets.map((set) => entitySet(set, sets)).join('')
  return [HEAD, ...types, `<EntityContainer Name="Container">${container}</EntityContainer>`, TAIL].join('\n')
}

function entityType(set: EntitySet, sets: readonly EntitySet[]): string {
  const keys = set.definition.key.map((name) => `<PropertyRef Name="${name}"/>`).join('')
  const navigation = targetsOf(set, sets).map(([name, target]) => {
    const one = `${NAMESPACE}.${target}`
    const type = set.lists?.has(name) ? `Type="Collection(${one})"` : `Type="${one}" Nullable="true"`
    return `<NavigationProperty Name="${name}" ${type}/>`
  })
  const inside = [...members(set.name, set.properties), ...navigation].join('')
  return `<EntityType Name="${set.name}"><Key>${keys}</Key>${inside}</EntityType>`
}

function members(type: string, properties: ODataProperties): string[] {
  return [...properties].map(([name, one]) => `<Property Name="${name}" ${typeOf(type, name, one)} Nullable="false"/>`)
}

function typeOf(type: string, name: string, one: ODataProperty): string {
  if (one.kind === 'group') return `Type="${NAMESPACE}.${type}_${name}"`
  if (one.kind === 'text') return 'Type="Edm.String"'
  return `Type="${TYPES[one.property.type]}"${facetsOf(one.property)}`
}

function facetsOf({ type, maxLength, scale = 0 }: ValueProperty): string {
  if (type === 'decimal') return ` Precision="${PRECISION}" Scale="${scale}"`
  if (type === 'exact') return ' Scale="variable"'
  if (type === 'date-time') return ' Precision="3"'
  return type === 'string' && maxLength !== undefined ? ` MaxLength="${maxLength}"` : ''
}

function complexTypes(type: string, properties: ODataProperties): string[] {
  return [...properties].flatMap(([name, one]) => {
    if (one.kind !== 'group') return []
    const own = `${type}_${name}`
    const inside = members(own, one.properties).join('')
    return [`<ComplexType Name="${own}">${inside}</ComplexType>`, ...complexTypes(own, one.properties)]
  })
}

/** The entity sets of the caller to which associations lead, and those of its lists. */
function targetsOf({ navigation, lists }: EntitySet, sets: readonly EntitySet[]): [name: string, target: string][] {
  return [...navigation].flatMap(([name, { property }]): [string, string][] => {
    const items = lists?.get(name)
    if (items !== undefined) return [[name, items]]
    if (property.kind === 'list') return []
    const { document } = property
    const target = sets.find(({ definition }) => definition.name === document.name)
    return target ? [[name, target.name]] : []
  })
}

function entitySet(set: EntitySet, sets: readonly EntitySet[]): string {
  const bindings = targetsOf(set, sets).map(
    ([name, target]) => `<NavigationPropertyBinding Path="${name}" Target="${target}"/>`,
  )
  const texts = pathsOf(set.properties, ({ kind }) => kind === 'text')
  const unusable = pathsOf(
    set.properties,
    (one) => one.kind === 'text' || (one.kind === 'value' && !one.property.filterable),
  )
  return [
    `<EntitySet Name="${set.name}" EntityType="${NAMESPACE}.${set.name}">`,
    ...bindings,
    restriction('FilterRestrictions', 'NonFilterableProperties', unusable),
    restriction('SortRestrictions', 'NonSortableProperties', texts),
    '</EntitySet>',
  ].join('')
}

function pathsOf(properties: ODataProperties, isWanted: (one: ODataProperty) => boolean, above = ''): string[] {
  return [...properties].flatMap(([name, one]) => {
    if (one.kind === 'group') return pathsOf(one.properties, isWanted, `${above}${name}/`)
    return isWanted(one) ? [above + name] : []
  })
}

function restriction(term: string, property: string, paths: readonly string[]): string {
  if (paths.length === 0) return ''
  const items = paths.map((path) => `<PropertyPath>${path}</PropertyPath>`).join('')
  const value = `<PropertyValue Property="${property}"><Collection>${items}</Collection></PropertyValue>`
  return `<Annotation Term="${CAPABILITIES}.${term}"><Record>${value}</Record></Annotation>`
}
