// Forbidden changes: the key of a document that has records, and the types of its properties.

import type { CustomTable } from '../../sql/schema.ts'
import { InvalidSetup } from '../file/invalid-setup.ts'
import type { DocumentSetup } from '../file/setup-schema.ts'
import type { SetupItem } from '../items/setup-items.ts'
import { customTableOf } from '../rules/own-table.ts'

/** Throws one error that lists every change which the stored records could not follow. */
export function requireSameShape(stored: readonly SetupItem[], wanted: readonly DocumentSetup[]): void {
  const problems = wanted.flatMap((document) => {
    const item = stored.find(({ kind, id }) => kind === 'document' && id === document.name)
    return item ? forbiddenChanges(item.definition as DocumentSetup, document) : []
  })
  if (problems.length > 0) throw new InvalidSetup(problems.join('\n'))
}

function forbiddenChanges(before: DocumentSetup, after: DocumentSetup): string[] {
  // The service does not own an external table, so there is no stored shape to preserve.
  if (before.table !== undefined || after.table !== undefined) return []
  const [old, now] = [customTableOf(before), customTableOf(after)]
  const name = `document ${after.name}`
  const types = new Map(old.columns.map((column) => [column.name, typeOf(column)]))
  const changed = now.columns
    .filter((column) => types.has(column.name) && types.get(column.name) !== typeOf(column))
    .map(
      (column) =>
        `${name}: ${column.name} is kept as ${types.get(column.name)}; its type cannot become ${typeOf(column)}`,
    )
  const isSameKey = JSON.stringify(old.key) === JSON.stringify(now.key)
  return isSameKey
    ? changed
    : [...changed, `${name}: its records are kept by the key ${old.key.join(', ')}, which cannot change`]
}

function typeOf({ type, scale }: CustomTable['columns'][number]): string {
  return scale === undefined ? type : `${type} of scale ${scale}`
}
