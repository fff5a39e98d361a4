// The indexes that a setup asks for: paths of properties to columns of the document's own table.
import { nearestName } from '../base/text.ts'
import type { DocumentDefinition, Properties, Property } from '../model/document.ts'
import { type SetupIndex, setupIndex } from '../store/setup-index.ts'
import { ownDefinition } from './own-document.ts'
import type { SetupItem } from './setup-items.ts'
import type { DocumentSetup, IndexesSetup } from './setup-schema.ts'

/** A built-in Enterprise Document with what all companies have in common; given, because this room knows none of them. */
export type FindCommon = (name: string) => DocumentDefinition | undefined

/** Where the values of a property stand, or why no index can be on them. */
export type IndexedColumn = { readonly column: string; readonly problem?: undefined } | { readonly problem: string }

/** Of a property by its path, such as `plan/startDate`. */
export function indexedColumn(definition: DocumentDefinition, path: string): IndexedColumn {
  let inside: Properties | undefined = definition.properties
  let property: Property | undefined
  let above = definition.name
  for (const name of path.split('/')) {
    if (inside === undefined) return { problem: `'${above}' is no group: nothing is inside it` }
    property = Object.hasOwn(inside, name) ? inside[name] : undefined
    if (property === undefined) {
      const nearest = nearestName(name, Object.keys(inside))
      return { problem: `${above} has no property '${name}'${nearest ? `; did you mean '${nearest}'?` : ''}` }
    }
    inside = property.kind === 'group' ? property.properties : undefined
    above = name
  }
  if (property?.kind === 'group') {
    return { problem: `'${path}' is a group: name one of ${Object.keys(property.properties).join(', ')}` }
  }
  if (property?.kind !== 'value') return { problem: `'${path}' is kept in another table: no index can be on it` }
  const { source } = property
  if ('column' in source && source.table === undefined) return { column: source.column }
  const place = 'column' in source ? 'in another table' : 'constant' in source ? 'nowhere' : 'inside a text of JSON'
  return { problem: `'${path}' is kept ${place}: no index can be on it` }
}

/** Throws when the document has changed so that a path no longer leads to a column. */
export function setupIndexOf(definition: DocumentDefinition, paths: readonly string[]): SetupIndex {
  const columns = (names: readonly string[]) =>
    names.map((path) => {
      const found = indexedColumn(definition, path)
      if (found.problem !== undefined) throw new Error(found.problem)
      return found.column
    })
  return setupIndex(definition.table, definition.companyColumn, columns(paths), columns(definition.key))
}

/** What the items of a setup ask for, by the name of the document; a path that leads nowhere any more is left out. */
export function wantedIndexes(items: readonly SetupItem[], findCommon: FindCommon): ReadonlyMap<string, SetupIndex[]> {
  const wanted = new Map<string, SetupIndex[]>()
  for (const { kind, id, definition } of items) {
    const document = documentOf(kind, id, definition, findCommon)
    const { indexes = [] } = definition as IndexesSetup
    if (!document || indexes.length === 0) continue
    const isSound = (paths: readonly string[]) => paths.every((path) => !indexedColumn(document, path).problem)
    wanted.set(
      id,
      indexes.filter(isSound).map((paths) => setupIndexOf(document, paths)),
    )
  }
  return wanted
}

function documentOf(kind: SetupItem['kind'], id: string, definition: object, findCommon: FindCommon) {
  if (kind === 'indexes') return findCommon(id)
  if (kind !== 'document' || (definition as DocumentSetup).table !== undefined) return undefined
  return ownDefinition(definition as DocumentSetup)
}
