// The target of complete rows: the columns of a document's table.
import type { DocumentDefinition, Properties } from '../model/document.ts'
import type { RowTarget } from '../store/store.ts'

/** The columns of a document's table that a row may set. */
export function targetOf(definition: DocumentDefinition): RowTarget {
  const columns = [...tableColumns(definition.properties)]
  const key = definition.key.flatMap((name) => {
    const property = definition.properties[name]
    return name !== 'companyId' && property?.kind === 'value' && 'column' in property.source
      ? property.source.column
      : []
  })
  return { table: definition.table, columns, key }
}

function* tableColumns(properties: Properties): Generator<RowTarget['columns'][number]> {
  for (const [name, property] of Object.entries(properties)) {
    if (name === 'companyId' || name === 'lastUpdated') continue
    if (property.kind === 'group') yield* tableColumns(property.properties)
    else if (property.kind === 'value' && 'column' in property.source && property.source.table === undefined) {
      const { type, scale, source } = property
      yield { name: source.column, type, ...(scale === undefined ? {} : { scale }) }
    }
  }
}
