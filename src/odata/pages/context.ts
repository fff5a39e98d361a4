// The context of an answer: what it consists of, as a fragment of the metadata. What is named alone is whole.
import type { SelectedProperty } from '../../query/plan-select.ts'
import type { EntitySet, ODataProperties } from '../metadata/entity-set.ts'
import type { Question } from '../query/question.ts'
import type { EntitySetRequest } from './request.ts'

export function contextOf({ metadataUrl, set }: EntitySetRequest, { plan, options }: Question): string {
  const { apply, select, expand } = options
  const isWhole = apply === undefined && select === undefined
  if (isWhole && expand === undefined) return `${metadataUrl}#${set.name}`
  const named = isWhole ? plan.select.filter(({ name }) => set.navigation.has(name)) : plan.select
  return `${metadataUrl}#${set.name}(${named.flatMap((one) => itemsOf(set, one)).join(',')})`
}

function itemsOf({ properties, navigation, lists }: EntitySet, one: SelectedProperty): string[] {
  const declared = lists?.get(one.name)?.properties ?? navigation.get(one.name)?.properties
  if (!declared || one.kind === 'value') return pathsIn([one], properties)
  const inside = insideOf(one)
  return [`${one.name}(${isAll(inside, declared) ? '' : pathsIn(inside, declared).join(',')})`]
}

function pathsIn(selected: readonly SelectedProperty[], declared: ODataProperties): string[] {
  return selected.flatMap((one) => {
    if (one.kind !== 'group') return one.name
    const type = typeOf(one, declared)
    return isAll(one.properties, type) ? one.name : pathsIn(one.properties, type).map((path) => `${one.name}/${path}`)
  })
}

/** Whether nothing of a type is left out. */
function isAll(selected: readonly SelectedProperty[], declared: ODataProperties): boolean {
  if (selected.length !== declared.size) return false
  return selected.every((one) => one.kind !== 'group' || isAll(one.properties, typeOf(one, declared)))
}

function typeOf({ name }: SelectedProperty, declared: ODataProperties): ODataProperties {
  const type = declared.get(name)
  return type?.kind === 'group' ? type.properties : NONE
}

const NONE: ODataProperties = new Map()

function insideOf(one: SelectedProperty): readonly SelectedProperty[] {
  if (!('properties' in one)) return []
  if (one.kind !== 'list' || !one.identity) return one.properties
  const { ofRecord, position } = one.identity
  return [...ofRecord, ...(position ? [position] : []), ...one.properties]
}
