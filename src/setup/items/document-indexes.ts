// The indexes of a setup: resolves property paths to columns of the document's table.
import { didYouMean } from '../../base/text.ts'
import type { DocumentDefinition, Properties, Property, ValueType } from '../../model/document.ts'
import { TEXT_LENGTHS } from '../../model/records/text-lengths.ts'
import { type OrderIndex, orderIndex, type SearchedText, type SetupIndex, textIndex } from '../../sql/setup-index.ts'
import type { DocumentSetup, IndexesSetup } from '../file/setup-schema.ts'
import { declaredDefinition } from '../rules/external-document.ts'
import type { SetupItem } from './setup-item.ts'

/** Finds a built-in Enterprise Document with the properties common to all companies. Injected, like `FindDocument`. */
export type FindCommon = (name: string) => DocumentDefinition | undefined

/** The column of a property, or the reason why it cannot be indexed. */
type IndexedColumn =
  | {
      readonly column: string
      readonly type: ValueType
      /** How long its longest value is as text, in characters. */
      readonly length: number
      readonly problem?: undefined
    }
  | { readonly problem: string }

/** What is no text is no longer: a point in time is kept as one. */
const OTHER_LENGTH = 24

/** A property is named by its path, such as `plan/startDate`. */
export function indexedColumn(definition: DocumentDefinition, path: string): IndexedColumn {
  let properties: Properties | undefined = definition.properties
  let property: Property | undefined
  let parent = definition.name
  for (const name of path.split('/')) {
    if (properties === undefined) return { problem: `'${parent}' is no group: nothing is inside it` }
    property = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (property === undefined)
      return { problem: `${parent} has no property '${name}'${didYouMean(name, Object.keys(properties))}` }
    properties = property.kind === 'group' ? property.properties : undefined
    parent = name
  }
  if (property?.kind === 'group') {
    return { problem: `'${path}' is a group: name one of ${Object.keys(property.properties).join(', ')}` }
  }
  if (property?.kind !== 'value') return { problem: `'${path}' is kept in another table: no index can be on it` }
  const { source, type, maxLength = Number.POSITIVE_INFINITY } = property
  if (!property.filterable) return { problem: `'${path}' can stand in no filter and in no order` }
  if ('column' in source && source.table === undefined) {
    return { column: source.column, type, length: type === 'string' ? maxLength : OTHER_LENGTH }
  }
  if ('computed' in source) return { problem: `'${path}' is computed, not kept: no index can be on it` }
  const place = 'column' in source ? 'in another table' : 'constant' in source ? 'nowhere' : 'inside a text of JSON'
  return { problem: `'${path}' is kept ${place}: no index can be on it` }
}

/** Like `indexedColumn`, for a text index: the property must be a string. */
export function searchedColumn(definition: DocumentDefinition, path: string): IndexedColumn {
  const found = indexedColumn(definition, path)
  if (found.problem !== undefined || found.type === 'string') return found
  return { problem: `'${path}' is no text, but ${found.type}` }
}

/** Throws for a property that cannot be indexed. */
export function orderIndexOf(definition: DocumentDefinition, paths: readonly string[]): OrderIndex {
  const { table, companyColumn } = definition
  const [own, key] = [foundAt(definition, paths), foundAt(definition, definition.key)]
  const lengths = new Map([...own, ...key].map(({ column, length }) => [column, length]))
  lengths.set(companyColumn, TEXT_LENGTHS.companyId ?? 0)
  return orderIndex(table, companyColumn, own.map(columnOf), key.map(columnOf), lengths)
}

function textIndexOf(definition: DocumentDefinition, path: string): SearchedText {
  const [column = ''] = columnsAt(definition, [path])
  return textIndex(definition.table, definition.companyColumn, column, columnsAt(definition, definition.key))
}

function columnsAt(definition: DocumentDefinition, paths: readonly string[]): string[] {
  return foundAt(definition, paths).map(columnOf)
}

type Found = Extract<IndexedColumn, { readonly column: string }>

const columnOf = ({ column }: Found) => column

function foundAt(definition: DocumentDefinition, paths: readonly string[]): Found[] {
  return paths.map((path) => {
    const found = indexedColumn(definition, path)
    if (found.problem !== undefined) throw new Error(found.problem)
    return found
  })
}

/** The indexes that the items of a setup declare, by document name. Paths that no longer resolve are skipped. */
export function wantedIndexes(items: readonly SetupItem[], findCommon: FindCommon): ReadonlyMap<string, SetupIndex[]> {
  const wanted = new Map<string, SetupIndex[]>()
  for (const { kind, id, definition } of items) {
    const document = documentOf(kind, id, definition, findCommon)
    if (!document) continue
    const { indexes = [], textIndexes = [] } = definition as IndexesSetup
    const isIndexable = (path: string) => indexedColumn(document, path).problem === undefined
    const ordered = indexes.filter((paths) => paths.every(isIndexable)).map((paths) => orderIndexOf(document, paths))
    const searched = textIndexes.filter(isIndexable).map((path) => textIndexOf(document, path))
    wanted.set(id, [...ordered, ...searched])
  }
  return wanted
}

function documentOf(kind: SetupItem['kind'], id: string, definition: object, findCommon: FindCommon) {
  if (kind === 'indexes') return findCommon(id)
  if (kind !== 'document' || (definition as DocumentSetup).table !== undefined) return undefined
  return declaredDefinition(definition as DocumentSetup)
}
