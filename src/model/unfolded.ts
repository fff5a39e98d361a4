// The items of a list as a document of their own: one row for each item, with the key of its record and its position.
// Rows, rights and indexes are those of the record's document.
import { getOrInsert, memo } from '../base/memo.ts'
import {
  type Codes,
  type Column,
  type DocumentDefinition,
  type ItemsProperty,
  type ItemTable,
  isLines,
  type Properties,
  type Property,
  type Source,
  type Unfolding,
  type ValueProperty,
  value,
} from './document.ts'

/** Columns of the rows that no table has. */
const POSITION_COLUMN = '# position'
const ITEM_COLUMN = '# item'
const ITEM_PREFIX = '# item.'

/**
 * The items of a list of the document as rows; the same object for the same arguments. Their key is that of the record
 * and `position`: the place in the list, from 1 on, or a number that grows in its order if the items are rows of a
 * table. Undefined for a document without such a list, and for lines, which are rows of another document.
 */
export function unfolded(definition: DocumentDefinition, listName: string): DocumentDefinition | undefined {
  const list = definition.properties[listName]
  if (list?.kind !== 'list' || isLines(list)) return undefined
  return getOrInsert(unfoldedOf(list), definition, () => unfold(definition, listName, list))
}

const unfoldedOf = memo((_list: ItemsProperty) => new WeakMap<DocumentDefinition, DocumentDefinition>())

function unfold(definition: DocumentDefinition, listName: string, list: ItemsProperty): DocumentDefinition {
  const { version, table, companyColumn, changeColumn, joins, key, indexes = [], restriction } = definition
  const items = 'json' in list.from ? itemsOfJson(list) : itemsOfTable(list, list.from)
  const names = new Map<string, string>()
  const take = (name: string): string => {
    let unique = name
    for (let number = 2; names.has(unique.toLowerCase()); number++) unique = `${name}${number}`
    names.set(unique.toLowerCase(), unique)
    return unique
  }
  const ofRecord = key.map((name) => [take(name), definition.properties[name] as Property] as const)
  const position = take('position')
  const placed = value('integer', POSITION_COLUMN, { description: 'Grows in the order of the list.' })
  const own = Object.entries(items.properties).map(([name, property]) => [take(name), property] as const)
  return {
    name: `${definition.name}/${listName}`,
    version,
    description: list.description ?? `An item of ${listName}.`,
    table,
    companyColumn,
    ...(changeColumn === undefined ? {} : { changeColumn }),
    joins: { ...joins, ...items.joins },
    key: [...key, position],
    // A partial one could only be used if the database saw through the rows.
    indexes: indexes.filter(({ without }) => without === undefined),
    properties: Object.fromEntries([...ofRecord, [position, placed], ...own]),
    ...(restriction ? { restriction } : {}),
    unfolding: items.unfolding,
  }
}

interface Items {
  readonly properties: Properties
  readonly joins: DocumentDefinition['joins']
  readonly unfolding: Unfolding
}

function itemsOfJson({ properties, from }: ItemsProperty): Items {
  const move = (source: Source): Source => ('path' in source ? { ...source, json: ITEM_COLUMN, isItem: true } : source)
  const unfolding = { from, position: POSITION_COLUMN, columns: new Map([['', ITEM_COLUMN]]) }
  return { properties: moved(properties, move), joins: {}, unfolding }
}

function itemsOfTable({ properties }: ItemsProperty, from: ItemTable): Items {
  const columns = new Map<string, string>()
  const moveColumn = (column: Column): Column => {
    if (column.table !== undefined) return { ...column, table: joinName(column.table) }
    columns.set(column.column, ITEM_PREFIX + column.column)
    return { ...column, column: ITEM_PREFIX + column.column }
  }
  const joins = Object.entries(from.joins).map(([name, { table, on }]) => {
    return [joinName(name), { table, on: on.map(([left, right]) => [moveColumn(left), right] as const) }] as const
  })
  const move = (source: Source): Source => ('column' in source ? moveColumn(source) : source)
  const inside = moved(properties, move)
  const unfolding = { from, position: POSITION_COLUMN, columns }
  return { properties: inside, joins: Object.fromEntries(joins), unfolding }
}

/** Apart from the joins of the record. */
const joinName = (name: string) => `item_${name}`

function moved(properties: Properties, move: (source: Source) => Source): Properties {
  const all = Object.entries(properties).map(([name, property]): [string, Property] => {
    if (property.kind === 'group') return [name, { ...property, properties: moved(property.properties, move) }]
    return [name, property.kind === 'value' ? movedValue(property, move) : property]
  })
  return Object.fromEntries(all)
}

function movedValue({ codes, ...property }: ValueProperty, move: (source: Source) => Source): ValueProperty {
  const source = move(property.source)
  return codes ? { ...property, source, codes: movedCodes(codes, move) } : { ...property, source }
}

function movedCodes(codes: Codes, move: (source: Source) => Source): Codes {
  return 'attributeIdIn' in codes ? { attributeIdIn: move(codes.attributeIdIn) as Column } : codes
}
