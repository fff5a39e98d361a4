// `$metadata` in CSDL JSON 4.01: says the same as the XML.
import type { EntitySet, ODataProperties, ODataProperty } from './entity-set.ts'
import {
  CAPABILITIES,
  CORE,
  descriptionOf,
  isComputed,
  NAMESPACE,
  restrictionsOf,
  type TypeDescription,
  targetsOf,
  typeOf,
  vocabularyUrl,
} from './members.ts'

export function metadataJson(sets: readonly EntitySet[]): object {
  const types = sets.flatMap((set) => [[set.name, entityType(set, sets)], ...complexTypes(set.name, set.properties)])
  const container = sets.map((set): [string, object] => [set.name, entitySet(set, sets)])
  const references = [CORE, CAPABILITIES].map((namespace): [string, object] => [
    vocabularyUrl(namespace),
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

function entityType(set: EntitySet, sets: readonly EntitySet[]): object {
  const navigation = targetsOf(set, sets).map(({ name, target, isCollection }): [string, object] => {
    const one = { $Kind: 'NavigationProperty', $Type: `${NAMESPACE}.${target}` }
    return [name, isCollection ? { ...one, $Collection: true } : { ...one, $Nullable: true }]
  })
  const own = members(set.name, set.properties)
  return { $Kind: 'EntityType', $Key: set.definition.key, ...own, ...Object.fromEntries(navigation) }
}

function members(owner: string, properties: ODataProperties): object {
  return Object.fromEntries([...properties].map(([name, one]) => [name, member(typeOf(owner, name, one), one)]))
}

/** Texts and what is not nullable need not be said. */
function member({ type, maxLength, precision, scale }: TypeDescription, one: ODataProperty): object {
  const text = descriptionOf(one)
  return {
    ...(type === 'Edm.String' ? {} : { $Type: type }),
    ...(maxLength === undefined ? {} : { $MaxLength: maxLength }),
    ...(precision === undefined ? {} : { $Precision: precision }),
    ...(scale === undefined ? {} : { $Scale: scale }),
    ...(text === undefined ? {} : { [`@${CORE}.Description`]: text }),
    ...(isComputed(one) ? { [`@${CORE}.Computed`]: true } : {}),
  }
}

function complexTypes(owner: string, properties: ODataProperties): [string, object][] {
  return [...properties].flatMap(([name, one]): [string, object][] => {
    if (one.kind !== 'group') return []
    const own = `${owner}_${name}`
    const type = { $Kind: 'ComplexType', ...members(own, one.properties) }
    return [[own, type], ...complexTypes(own, one.properties)]
  })
}

function entitySet(set: EntitySet, sets: readonly EntitySet[]): object {
  const bindings = targetsOf(set, sets).map(({ name, target }) => [name, target])
  const restrictions = restrictionsOf(set).map(({ term, property, paths }) => [
    `@${CAPABILITIES}.${term}`,
    { [property]: paths },
  ])
  return {
    $Collection: true,
    $Type: `${NAMESPACE}.${set.name}`,
    ...(bindings.length > 0 ? { $NavigationPropertyBinding: Object.fromEntries(bindings) } : {}),
    ...Object.fromEntries(restrictions),
  }
}
