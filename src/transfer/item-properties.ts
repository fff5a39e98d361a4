// What stands in a file of the items of a list, such as the lines of orders.
import { didYouMean, shortened } from '../base/text.ts'
import type { DocumentDefinition, Properties } from '../model/document.ts'
import { keyNamesOf } from '../setup/rules/declared-properties.ts'
import type { CsvTable } from './rows/csv-table.ts'
import { FileError } from './rows/text-lines.ts'

/** What a file of the items of a list may have: their properties, and the key of their record. */
export function itemProperties(definition: DocumentDefinition, list: string): Properties | undefined {
  const property = Object.hasOwn(definition.properties, list) ? definition.properties[list] : undefined
  if (property?.kind !== 'list') return undefined
  const key = keyNamesOf(definition).flatMap((name) => {
    const found = definition.properties[name]
    return found ? [[name, found] as const] : []
  })
  return { ...property.properties, ...Object.fromEntries(key) }
}

/** Throws a FileError if records of the document have no such list, or the file of the records has it already. */
export function requireList(definition: DocumentDefinition, table: CsvTable | undefined, list: string): void {
  if (!itemProperties(definition, list)) {
    const names = Object.entries(definition.properties).flatMap(([name, { kind }]) => (kind === 'list' ? [name] : []))
    throw new FileError(`${definition.name} have no list '${shortened(list)}'${didYouMean(list, names)}`)
  }
  const own = table?.columns.find(({ path }) => path[0] === list)
  if (own) throw new FileError(`the list '${list}' has a file of its own, and the column '${own.heading}' beside it`)
}
