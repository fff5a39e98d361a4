// What the columns of a file may be: every property that an import sets, lists with their first item.
import { BUILT_IN_LANGUAGES } from '../model/built-in-titles.ts'
import {
  type DocumentDefinition,
  isLines,
  type Properties,
  type Property,
  type ValueProperty,
} from '../model/document.ts'
import { propertyTitle } from '../model/titles.ts'
import type { Candidate } from './map-template.ts'

/** The company and the author are those of the import. */
const SET_BY_IMPORT = new Set(['companyId', 'lastUpdated'])

export function candidatesOf({ name }: DocumentDefinition, properties: Properties): Candidate[] {
  const own = Object.fromEntries(Object.entries(properties).filter(([one]) => !SET_BY_IMPORT.has(one)))
  return [...candidatesIn(name, own, '', true)]
}

/** The line of names of a CSV file for a document. */
export function templateOf(definition: DocumentDefinition, separator: string): string {
  return `${candidatesOf(definition, definition.properties)
    .map(({ path }) => path)
    .join(separator)}\r\n`
}

function* candidatesIn(
  document: string,
  properties: Properties,
  groups: string,
  isNeeded: boolean,
): Generator<Candidate> {
  for (const [name, property] of Object.entries(properties)) {
    const path = groups + name
    const isRequired = isNeeded && property.kind !== 'association' && property.isRequired === true
    if (property.kind === 'group') yield* candidatesIn(document, property.properties, `${path}.`, isRequired)
    else if (property.kind === 'list' && !isLines(property)) {
      yield* candidatesIn(document, property.properties, `${path}.1.`, isRequired)
    } else if (property.kind === 'value' && isOwn(property)) {
      yield { path, titles: titlesOf(document, name, property), isRequired }
    }
  }
}

/** In English first, then in every other language that the service or the setup has. */
function titlesOf(document: string, name: string, property: Property): string[] {
  const own = typeof property.titles === 'object' ? Object.keys(property.titles) : []
  const titles = [...BUILT_IN_LANGUAGES, ...own].map((language) => propertyTitle(document, name, property, [language]))
  return [...new Set(titles)]
}

/** Values of joined tables, constants and what is computed are answered only. */
function isOwn({ source }: ValueProperty): boolean {
  return !('constant' in source) && !('computed' in source) && !('column' in source && source.table !== undefined)
}
