// The line of names of a CSV file for a document: every property that an import sets, lists with their first item.
import { type DocumentDefinition, isLines, type Properties, type ValueProperty } from '../model/document.ts'
import { type ColumnPath, nameOf } from './rows/csv-columns.ts'

/** The company and the author are those of the import. */
export const SET_BY_IMPORT = new Set(['companyId', 'lastUpdated'])

export function templateOf({ properties }: DocumentDefinition, separator: string): string {
  const own = Object.fromEntries(Object.entries(properties).filter(([name]) => !SET_BY_IMPORT.has(name)))
  return `${[...columnsIn(own)].map(nameOf).join(separator)}\r\n`
}

function* columnsIn(properties: Properties, groups: ColumnPath = []): Generator<ColumnPath> {
  for (const [name, property] of Object.entries(properties)) {
    const path = [...groups, name]
    if (property.kind === 'group') yield* columnsIn(property.properties, path)
    else if (property.kind === 'list' && !isLines(property)) yield* columnsIn(property.properties, [...path, 0])
    else if (property.kind === 'value' && isOwn(property)) yield path
  }
}

/** Values of joined tables, constants and what is computed are answered only. */
export function isOwn({ source }: ValueProperty): boolean {
  return !('constant' in source) && !('computed' in source) && !('column' in source && source.table !== undefined)
}
