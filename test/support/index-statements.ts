// The statements that create the indexes of a document definition, for tables that a test creates itself.
import type { DocumentDefinition } from '../../src/model/document.ts'

export function indexStatements({ table, indexes = [] }: DocumentDefinition): string[] {
  return indexes.map(({ name, columns, descending, without }) => {
    const terms = columns.map((column) => (descending?.includes(column) ? `${column} desc` : column)).join(', ')
    const condition = without ? ` where ${without.column} <> '${without.value}'` : ''
    return `create index ${name} on ${table} (${terms})${condition}`
  })
}
