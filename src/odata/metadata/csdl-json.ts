// `$metadata` in CSDL JSON 4.01: says the same as the XML.
import { defined } from '../../base/defined.ts'
import type { EntitySet, ODataProperties, ODataProperty } from './entity-set.ts'
import { COMMON, type Labels, labelsIn } from './labels.ts'
import {
  CAPABILITIES,
  CORE,
  isComputed,
  NAMESPACE,
  referencesFor,
  restrictionsOf,
  type TypeDescription,
  targetsOf,
  typeOf,
} from './members.ts'

/** `languages`: those that labels are wanted in; empty for none. */
export function metadataJson(sets: readonly EntitySet[], languages: readonly string[]): object {
  const labels = labelsIn(languages)
  const types = sets.flatMap((set) => [
    [set.name, entityType(set, sets, labels)],
    ...complexTypes(set, set.name, set.properties, labels),
  ])
  const container = sets.map((set): [string, object] => [set.name, entitySet(set, sets, labels)])
  const references = referencesFor(languages).map(([namespace, url]): [string, object] => [
    url,
    { $Include: [{ $Namespace: namespace }] },
  ])
  return {
    $Version: '4.01',
    $Reference: Object.fromEntries(references),
    $EntityContainer: `${NAMESPACE}.Container`,
    [NAMESPACE]: {
      ...Object.fromEntries(types),
      Container: { $Kind: 'EntityContainer', ...Object.fromEntries(container) },
    },
  }
}

function entityType(set: EntitySet, sets: readonly EntitySet[], labels: Labels): object {
  const navigation = targetsOf(set, sets).map(({ name, target, isCollection }): [string, object] => {
    const type = `${NAMESPACE}.${target}`
    const one = { $Kind: 'NavigationProperty', $Type: type, ...labelled(labels.navigation(set, name)) }
    return [name, isCollection ? { ...one, $Collection: true } : { ...one, $Nullable: true }]
  })
  const own = members(set, set.name, set.properties, labels)
  return { $Kind: 'EntityType', $Key: set.definition.key, ...own, ...Object.fromEntries(navigation) }
}

const labelled = (label: string | undefined): object => defined({ [`@${COMMON}.Label`]: label })

function members(set: EntitySet, owner: string, properties: ODataProperties, labels: Labels): object {
  return Object.fromEntries(
    [...properties].map(([name, one]) => [
      name,
      { ...member(typeOf(owner, name, one), one, labels.description(one)), ...labelled(labels.member(set, name, one)) },
    ]),
  )
}

/** Texts and what is not nullable need not be said. */
function member(
  { type, maxLength, precision, scale }: TypeDescription,
  one: ODataProperty,
  text: string | undefined,
): object {
  return {
    ...(type === 'Edm.String' ? {} : { $Type: type }),
    ...defined({ $MaxLength: maxLength, $Precision: precision, $Scale: scale, [`@${CORE}.Description`]: text }),
    ...(isComputed(one) ? { [`@${CORE}.Computed`]: true } : {}),
  }
}

function complexTypes(set: EntitySet, owner: string, properties: ODataProperties, labels: Labels): [string, object][] {
  return [...properties].flatMap(([name, one]): [string, object][] => {
    if (one.kind !== 'group') return []
    const own = `${owner}_${name}`
    const type = { $Kind: 'ComplexType', ...members(set, own, one.properties, labels) }
    return [[own, type], ...complexTypes(set, own, one.properties, labels)]
  })
}

function entitySet(set: EntitySet, sets: readonly EntitySet[], labels: Labels): object {
  const bindings = targetsOf(set, sets).map(({ name, target }) => [name, target])
  const restrictions = restrictionsOf(set).map(({ term, property, paths }) => [
    `@${CAPABILITIES}.${term}`,
    { [property]: paths },
  ])
  return {
    $Collection: true,
    $Type: `${NAMESPACE}.${set.name}`,
    ...(bindings.length > 0 ? { $NavigationPropertyBinding: Object.fromEntries(bindings) } : {}),
    ...labelled(labels.set(set)),
    ...Object.fromEntries(restrictions),
  }
}
