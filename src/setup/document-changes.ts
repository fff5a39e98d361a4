// What may not change in a document that keeps records already: its key, and the types of its properties.

import type { OwnTable } from '../store/store.ts'
import { ownTableOf } from './own-document.ts'
import type { SetupItem } from './setup-items.ts'
import type { DocumentSetup } from './setup-schema.ts'

/** Throws one error with everything that the stored records of a document could not follow. */
export function requireSameShape(stored: readonly SetupItem[], wanted: readonly DocumentSetup[]): void {
  const problems = wanted.flatMap((document) => {
    const item = stored.find(({ kind, id }) => kind === 'document' && id === document.name)
    return item ? differences(item.definition as DocumentSetup, document) : []
  })
  if (problems.length > 0) throw new Error(problems.join('\n'))
}

function differences(before: DocumentSetup, after: DocumentSetup): string[] {
  // Records of a table that is not ours follow it, not the setup.
  if (before.table !== undefined || after.table !== undefined) return []
  const [old, now] = [ownTableOf(before), ownTableOf(after)]
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

function typeOf({ type, scale }: OwnTable['columns'][number]): string {
  return scale === undefined ? type : `${type} of scale ${scale}`
}
