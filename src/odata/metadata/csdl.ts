// `$metadata`: the entity sets of a caller in CSDL 4.0 (XML).

import type { EntitySet, ODataProperties, ODataProperty } from './entity-set.ts'
import { escapeXml } from './escape-xml.ts'
import {
  CAPABILITIES,
  CORE,
  descriptionOf,
  isComputed,
  NAMESPACE,
  type NavigationTarget,
  type PathRestriction,
  restrictionsOf,
  type TypeDescription,
  targetsOf,
  typeOf,
  vocabularyUrl,
} from './members.ts'

const REFERENCES = [CORE, CAPABILITIES].map(
  (namespace) =>
    `<edmx:Reference Uri="${vocabularyUrl(namespace)}"><edmx:Include Namespace="${namespace}"/></edmx:Reference>`,
)
const HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.0">
${REFERENCES.join('\n')}
<edmx:DataServices><Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="${NAMESPACE}">`
const TAIL = '</Schema></edmx:DataServices></edmx:Edmx>'

export function metadataXml(sets: readonly EntitySet[]): string {
  const types = sets.flatMap((set) => [entityType(set, sets), ...complexTypes(set.name, set.properties)])
  const container = sets.map((set) => entitySet(set, sets)).join('')
  return [HEAD, ...types, `<EntityContainer Name="Container">${container}</EntityContainer>`, TAIL].join('\n')
}

function entityType(set: EntitySet, sets: readonly EntitySet[]): string {
  const keys = set.definition.key.map((name) => `<PropertyRef Name="${name}"/>`).join('')
  const inside = [...members(set.name, set.properties), ...targetsOf(set, sets).map(navigation)].join('')
  return `<EntityType Name="${set.name}"><Key>${keys}</Key>${inside}</EntityType>`
}

function navigation({ name, target, isCollection }: NavigationTarget): string {
  const one = `${NAMESPACE}.${target}`
  const type = isCollection ? `Type="Collection(${one})"` : `Type="${one}" Nullable="true"`
  return `<NavigationProperty Name="${name}" ${type}/>`
}

function members(owner: string, properties: ODataProperties): string[] {
  return [...properties].map(([name, one]) => member(name, typeOf(owner, name, one), one))
}

function member(name: string, { type, ...facets }: TypeDescription, one: ODataProperty): string {
  const { maxLength, precision, scale } = facets
  const given = Object.entries({ MaxLength: maxLength, Precision: precision, Scale: scale })
  const written = given.map(([facet, value]) => (value === undefined ? '' : ` ${facet}="${value}"`)).join('')
  const start = `<Property Name="${name}" Type="${type}"${written} Nullable="false"`
  const text = descriptionOf(one)
  const annotations = [
    ...(text === undefined ? [] : [`<Annotation Term="${CORE}.Description" String="${escapeXml(text)}"/>`]),
    ...(isComputed(one) ? [`<Annotation Term="${CORE}.Computed" Bool="true"/>`] : []),
  ]
  return annotations.length === 0 ? `${start}/>` : `${start}>${annotations.join('')}</Property>`
}

function complexTypes(owner: string, properties: ODataProperties): string[] {
  return [...properties].flatMap(([name, one]) => {
    if (one.kind !== 'group') return []
    const own = `${owner}_${name}`
    const inside = members(own, one.properties).join('')
    return [`<ComplexType Name="${own}">${inside}</ComplexType>`, ...complexTypes(own, one.properties)]
  })
}

function entitySet(set: EntitySet, sets: readonly EntitySet[]): string {
  const bindings = targetsOf(set, sets).map(
    ({ name, target }) => `<NavigationPropertyBinding Path="${name}" Target="${target}"/>`,
  )
  const inside = [...bindings, ...restrictionsOf(set).map(restriction)].join('')
  return `<EntitySet Name="${set.name}" EntityType="${NAMESPACE}.${set.name}">${inside}</EntitySet>`
}

function restriction({ term, property, paths }: PathRestriction): string {
  const items = paths.map((path) => `<PropertyPath>${path}</PropertyPath>`).join('')
  const value = `<PropertyValue Property="${property}"><Collection>${items}</Collection></PropertyValue>`
  return `<Annotation Term="${CAPABILITIES}.${term}"><Record>${value}</Record></Annotation>`
}
