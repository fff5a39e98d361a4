// What people call the columns of an answer, in the order of its cells.
import type { DocumentDefinition, Properties } from '../model/document.ts'
import { propertyTitle, textTitle } from '../model/titles.ts'
import type { Plan } from './plan.ts'
import type { SelectedProperty } from './plan-select.ts'

interface Place {
  readonly document: string
  readonly properties: Properties
  /** The titles of the groups that a column stands in, and their names. */
  readonly titles: readonly string[]
  readonly names: readonly string[]
}

interface NamedColumn {
  readonly title: string
  readonly name: string
}

/** Such as `Invoicing / Credit limit`. Columns that people call the same have their names behind that. */
export function columnTitles({ definition, grouping, columns }: Plan, languages: readonly string[]): readonly string[] {
  const { name, properties }: DocumentDefinition = grouping?.result ?? definition
  const found = titled(columns, { document: name, properties, titles: [], names: [] }, languages)
  const times = Map.groupBy(found, ({ title }) => title)
  return found.map((one) => (times.get(one.title)?.length === 1 ? one.title : `${one.title} (${one.name})`))
}

function titled(columns: readonly SelectedProperty[], place: Place, languages: readonly string[]): NamedColumn[] {
  const { document, properties } = place
  return columns.flatMap((column): NamedColumn[] => {
    const name = column.kind === 'description' ? column.name.replace(/\(description\)$/, '') : column.name
    const property = properties[name]
    const title = propertyTitle(document, name, property ?? {}, languages)
    const titles = [...place.titles, column.kind === 'description' ? textTitle(title, languages) : title]
    const names = [...place.names, column.name]
    if (column.kind === 'group') {
      const inside = property?.kind === 'group' ? property.properties : {}
      return titled(column.properties, { document, properties: inside, titles, names }, languages)
    }
    if (column.kind === 'association') {
      const other = column.association.document
      return titled(column.properties, { document: other.name, properties: other.properties, titles, names }, languages)
    }
    return [{ title: titles.join(' / '), name: names.join('.') }]
  })
}
