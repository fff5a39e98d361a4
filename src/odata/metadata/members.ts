// What the metadata says of an entity set, whatever it is written in.
import { isLines, type ValueProperty, type ValueType } from '../../model/document.ts'
import type { EntitySet, ODataProperties, ODataProperty } from './entity-set.ts'
import { COMMON, COMMON_URL } from './labels.ts'

export const NAMESPACE = 'Tabularium'
export const CORE = 'Org.OData.Core.V1'
export const CAPABILITIES = 'Org.OData.Capabilities.V1'

/** The vocabularies of the annotations, with their addresses. */
export function referencesFor(languages: readonly string[]): (readonly [namespace: string, url: string])[] {
  const ofOasis = [CORE, CAPABILITIES].map(
    (namespace) => [namespace, `https://oasis-tcs.github.io/odata-vocabularies/vocabularies/${namespace}.xml`] as const,
  )
  return languages.length === 0 ? ofOasis : [...ofOasis, [COMMON, COMMON_URL]]
}

const TYPES: Readonly<Record<ValueType, string>> = {
  string: 'Edm.String',
  integer: 'Edm.Int64',
  number: 'Edm.Double',
  decimal: 'Edm.Decimal',
  exact: 'Edm.Decimal',
  boolean: 'Edm.Boolean',
  'date-time': 'Edm.DateTimeOffset',
}
/** All decimals that a record holds have it. */
const PRECISION = 18

export interface TypeDescription {
  readonly type: string
  readonly maxLength?: number
  readonly precision?: number
  readonly scale?: number | 'variable'
}

/** `owner`: the name of the type with the property. */
export function typeOf(owner: string, name: string, one: ODataProperty): TypeDescription {
  if (one.kind === 'group') return { type: `${NAMESPACE}.${owner}_${name}` }
  if (one.kind === 'text') return { type: TYPES.string }
  return { type: TYPES[one.property.type], ...facetsOf(one.property) }
}

function facetsOf({ type, maxLength, scale = 0 }: ValueProperty): Omit<TypeDescription, 'type'> {
  if (type === 'decimal') return { precision: PRECISION, scale }
  if (type === 'exact') return { scale: 'variable' }
  if (type === 'date-time') return { precision: 3 }
  return type === 'string' && maxLength !== undefined ? { maxLength } : {}
}

/** Whether nobody writes it: the database computes it of other properties. */
export function isComputed(one: ODataProperty): boolean {
  return one.kind === 'value' && 'computed' in one.property.source
}

export interface NavigationTarget {
  /** The name of the navigation property. */
  readonly name: string
  /** The name of the entity set, which is that of its type, too. */
  readonly target: string
  readonly isCollection: boolean
}

/** The entity sets of the caller to which associations lead, and those of its lists. */
export function targetsOf({ navigation, lists }: EntitySet, sets: readonly EntitySet[]): NavigationTarget[] {
  return [...navigation].flatMap(([name, { property }]): NavigationTarget[] => {
    const items = lists?.get(name)
    if (items) return [{ name, target: items.name, isCollection: true }]
    const isCollection = property.kind === 'list'
    const document = !isCollection ? property.document : isLines(property) ? property.from.document : undefined
    const target = sets.find(({ definition }) => definition.name === document?.name)
    return target ? [{ name, target: target.name, isCollection }] : []
  })
}

export interface PathRestriction {
  readonly term: string
  readonly property: string
  readonly paths: readonly string[]
}

/** The properties that cannot be used in `$filter` or `$orderby`. */
export function restrictionsOf({ properties }: EntitySet): PathRestriction[] {
  const texts = pathsOf(properties, ({ kind }) => kind === 'text')
  const isUnusable = (one: ODataProperty) => one.kind === 'text' || (one.kind === 'value' && !one.property.filterable)
  const all = [
    { term: 'FilterRestrictions', property: 'NonFilterableProperties', paths: pathsOf(properties, isUnusable) },
    { term: 'SortRestrictions', property: 'NonSortableProperties', paths: texts },
  ]
  return all.filter(({ paths }) => paths.length > 0)
}

function pathsOf(properties: ODataProperties, isWanted: (one: ODataProperty) => boolean, above = ''): string[] {
  return [...properties].flatMap(([name, one]) => {
    if (one.kind === 'group') return pathsOf(one.properties, isWanted, `${above}${name}/`)
    return isWanted(one) ? [above + name] : []
  })
}
