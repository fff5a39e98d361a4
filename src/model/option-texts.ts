// What the description says of the query options of a document: which properties they take, and an example of each that
// the document answers.
import type { DocumentDefinition, Properties, ValueProperty } from './document.ts'

export interface OptionTexts {
  readonly select: string
  readonly filter: string
  readonly orderby: string
  /** Paths of the properties that a filter and an order may name; those in lists are behind `any` and `all`. */
  readonly filterable: readonly string[]
}

type Named = readonly [name: string, property: ValueProperty]

/** Properties that tell people what a record is, the best first. */
const TELLING = [/^description$/, /^title$/, /name$/i, /./]

export function optionTexts(definition: DocumentDefinition): OptionTexts {
  const { properties, key } = definition
  const values = Object.entries(properties).filter(
    (one): one is [string, ValueProperty] => one[1].kind === 'value' && one[0] !== 'companyId',
  )
  const keys = values.map(([name]) => name).filter((name) => key.includes(name))
  const telling = tellingOf(values, keys)
  const described = values.find(([, { codes }]) => codes)
  return {
    select: [...new Set([...keys, telling, ...(described ? [`${described[0]}[C;T]`] : [])])].join(','),
    filter: `contains(tolower(${telling}),'e')${'lastUpdated' in properties ? ' and lastUpdated/updatedAt ge 2026-01-01' : ''}`,
    orderby: `${telling} desc`,
    filterable: filterablePaths(properties),
  }
}

function tellingOf(values: readonly Named[], keys: readonly string[]): string {
  const texts = values.filter(([name, { type, filterable }]) => type === 'string' && filterable && !keys.includes(name))
  const names = texts.map(([name]) => name)
  const [found] = TELLING.flatMap((pattern) => names.find((name) => pattern.test(name)) ?? [])
  return found ?? keys[0] ?? 'companyId'
}

function filterablePaths(properties: Properties): string[] {
  return Object.entries(properties).flatMap(([name, property]) => {
    if (property.kind === 'value') return property.filterable ? [name] : []
    return property.kind === 'group' ? filterablePaths(property.properties).map((path) => `${name}/${path}`) : []
  })
}
