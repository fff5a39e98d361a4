// `$metadata`: the entity sets of a caller in CSDL 4.0 (XML).
import type { EntitySet, ODataProperties, ODataProperty } from './entity-set.ts'
import { COMMON, type Labels, labelsIn } from './labels.ts'
import {
  CAPABILITIES,
  CORE,
  isComputed,
  NAMESPACE,
  type NavigationTarget,
  type PathRestriction,
  referencesFor,
  restrictionsOf,
  type TypeDescription,
  targetsOf,
  typeOf,
} from './members.ts'

const headWith = (languages: readonly string[]): string => `<?xml version="1.0" encoding="UTF-8"?>
<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.0">
${referencesFor(languages)
  .map(([namespace, url]) => `<edmx:Reference Uri="${url}"><edmx:Include Namespace="${namespace}"/></edmx:Reference>`)
  .join('\n')}
<edmx:DataServices><Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="${NAMESPACE}">`
const TAIL = '</Schema></edmx:DataServices></edmx:Edmx>'

/** `languages`: those that labels are wanted in; empty for none. */
export function metadataXml(sets: readonly EntitySet[], languages: readonly string[]): string {
  const labels = labelsIn(languages)
  const types = sets.flatMap((set) => [
    entityType(set, sets, labels),
    ...complexTypes(set, set.name, set.properties, labels),
  ])
  const container = sets.map((set) => entitySet(set, sets, labels)).join('')
  return [headWith(languages), ...types, `<EntityContainer Name="Container">${container}</EntityContainer>`, TAIL].join(
    '\n',
  )
}

function entityType(set: EntitySet, sets: readonly EntitySet[], labels: Labels): string {
  const keys = set.definition.key.map((name) => `<PropertyRef Name="${name}"/>`).join('')
  const targets = targetsOf(set, sets).map((target) => navigation(target, labels.navigation(set, target.name)))
  const inside = [...members(set, set.name, set.properties, labels), ...targets].join('')
  return `<EntityType Name="${set.name}"><Key>${keys}</Key>${inside}</EntityType>`
}

function navigation({ name, target, isCollection }: NavigationTarget, label: string | undefined): string {
  const one = `${NAMESPACE}.${target}`
  const type = isCollection ? `Type="Collection(${one})"` : `Type="${one}" Nullable="true"`
  const start = `<NavigationProperty Name="${name}" ${type}`
  return label === undefined ? `${start}/>` : `${start}>${labelled(label)}</NavigationProperty>`
}

const labelled = (label: string): string => `<Annotation Term="${COMMON}.Label" String="${escapeXml(label)}"/>`

function members(set: EntitySet, owner: string, properties: ODataProperties, labels: Labels): string[] {
  return [...properties].map(([name, one]) =>
    member(name, typeOf(owner, name, one), one, {
      label: labels.member(set, name, one),
      text: labels.description(one),
    }),
  )
}

function member(
  name: string,
  { type, ...facets }: TypeDescription,
  one: ODataProperty,
  { label, text }: { readonly label: string | undefined; readonly text: string | undefined },
): string {
  const { maxLength, precision, scale } = facets
  const given = Object.entries({ MaxLength: maxLength, Precision: precision, Scale: scale })
  const written = given.map(([facet, value]) => (value === undefined ? '' : ` ${facet}="${value}"`)).join('')
  const start = `<Property Name="${name}" Type="${type}"${written} Nullable="false"`
  const annotations = [
    ...(label === undefined ? [] : [labelled(label)]),
    ...(text === undefined ? [] : [`<Annotation Term="${CORE}.Description" String="${escapeXml(text)}"/>`]),
    ...(isComputed(one) ? [`<Annotation Term="${CORE}.Computed" Bool="true"/>`] : []),
  ]
  return annotations.length === 0 ? `${start}/>` : `${start}>${annotations.join('')}</Property>`
}

function complexTypes(set: EntitySet, owner: string, properties: ODataProperties, labels: Labels): string[] {
  return [...properties].flatMap(([name, one]) => {
    if (one.kind !== 'group') return []
    const own = `${owner}_${name}`
    const inside = members(set, own, one.properties, labels).join('')
    return [`<ComplexType Name="${own}">${inside}</ComplexType>`, ...complexTypes(set, own, one.properties, labels)]
  })
}

function entitySet(set: EntitySet, sets: readonly EntitySet[], labels: Labels): string {
  const label = labels.set(set)
  const bindings = targetsOf(set, sets).map(
    ({ name, target }) => `<NavigationPropertyBinding Path="${name}" Target="${target}"/>`,
  )
  const inside = [
    ...bindings,
    ...(label === undefined ? [] : [labelled(label)]),
    ...restrictionsOf(set).map(restriction),
  ].join('')
  return `<EntitySet Name="${set.name}" EntityType="${NAMESPACE}.${set.name}">${inside}</EntitySet>`
}

function restriction({ term, property, paths }: PathRestriction): string {
  const items = paths.map((path) => `<PropertyPath>${path}</PropertyPath>`).join('')
  const value = `<PropertyValue Property="${property}"><Collection>${items}</Collection></PropertyValue>`
  return `<Annotation Term="${CAPABILITIES}.${term}"><Record>${value}</Record></Annotation>`
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** The text within XML, also in attributes with double quotes. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '')
}
