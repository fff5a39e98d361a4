// Texts on the query options of a document for the API description: the properties that they accept, and a valid
// example of each option.
import type { TSchema } from 'typebox'
import type { DocumentDefinition, Properties, Property, ValueProperty } from './document.ts'

/** A parameter of an endpoint, for the OpenAPI description. */
export interface ParameterDescription {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly description: string
  readonly schema: TSchema
}

const parameterIn =
  (place: ParameterDescription['in']) =>
  (name: string, description: string, schema: TSchema): ParameterDescription => ({
    name,
    in: place,
    description,
    schema,
  })

export const pathParameter = parameterIn('path')
export const queryParameter = parameterIn('query')
export const headerParameter = parameterIn('header')

export interface OptionTexts {
  readonly select: string
  readonly filter: string
  readonly orderby: string
  /** Paths of the properties for filters and orders; those in lists are only available with `any` and `all`. */
  readonly filterable: readonly string[]
}

type Named = readonly [name: string, property: ValueProperty]

/** Names of properties that describe a record to people, in order of preference. */
const DESCRIPTIVE = [/^description$/, /^title$/, /name$/i, /./]
const WORDS = /^description$|^title$|name$/i

export function optionTexts(definition: DocumentDefinition): OptionTexts {
  const { properties, key } = definition
  const values = Object.entries(properties).filter(
    (one): one is [string, ValueProperty] => one[1].kind === 'value' && one[0] !== 'companyId',
  )
  const keys = values.map(([name]) => name).filter((name) => key.includes(name))
  const descriptive = descriptiveOf(values, keys)
  const coded = values.find(([, { codes }]) => codes)
  return {
    select: [...new Set([...keys, descriptive, ...(coded ? [`${coded[0]}[C;T]`] : [])])].join(','),
    filter: conditionOn(properties[descriptive], descriptive) + ('lastUpdated' in properties ? CHANGED : ''),
    orderby: `${descriptive} desc`,
    filterable: filterablePaths(properties),
  }
}

const CHANGED = ' and lastUpdated/updatedAt ge 2026-01-01'

/** One that most documents have records for: words have an `e` in them, codes and numbers have none. */
function conditionOn(property: Property | undefined, name: string): string {
  if (WORDS.test(name)) return `contains(tolower(${name}),'e')`
  return property?.kind === 'value' && property.type !== 'string' ? `not (${name} eq null)` : `${name} ne ''`
}

function descriptiveOf(values: readonly Named[], keys: readonly string[]): string {
  const texts = values.filter(([name, { type, filterable }]) => type === 'string' && filterable && !keys.includes(name))
  const names = texts.map(([name]) => name)
  const [found] = DESCRIPTIVE.flatMap((pattern) => names.find((name) => pattern.test(name)) ?? [])
  return found ?? keys[0] ?? 'companyId'
}

function filterablePaths(properties: Properties): string[] {
  return Object.entries(properties).flatMap(([name, property]) => {
    if (property.kind === 'value') return property.filterable ? [name] : []
    return property.kind === 'group' ? filterablePaths(property.properties).map((path) => `${name}/${path}`) : []
  })
}
