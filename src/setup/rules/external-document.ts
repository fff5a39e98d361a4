// A custom Enterprise Document: on a table that the service creates, or on an existing external table.
import {
  type Column,
  type DocumentDefinition,
  group,
  type Properties,
  type Property,
  type StoredAs,
  type StoredType,
  type ValueProperty,
  value,
} from '../../model/document.ts'
import type { ColumnKind, TableColumn } from '../../store/store.ts'
import type { DocumentSetup, PropertySetup } from '../file/document-schema.ts'
import { InvalidSetup, requireNoFault } from '../file/invalid-setup.ts'
import { columnNames, isSimple, namesIn, type SimpleProperty, scaleOf } from './declared-properties.ts'
import { declaredRecordOf, documentNames } from './declared-record.ts'

/** The definition of a document on its own table, by itself: without associations with others of the setup. */
export function declaredDefinition(document: DocumentSetup): DocumentDefinition {
  return declaredRecordOf(document).record.document
}

/** The definition of a document on an external table. Throws one error that lists all mismatches. */
export function externalTableDefinition(
  document: DocumentSetup,
  columns: readonly TableColumn[] | undefined,
): DocumentDefinition {
  const { name, table = '' } = document
  const place = `document ${name}`
  if (!columns) throw new InvalidSetup([{ place, message: `there is no table or view ${table}` }])
  const problems: string[] = []
  const resolve = ({ names, property }: SimpleProperty): Column => {
    const wanted = property.column === undefined ? columnNames(names) : [property.column]
    const column = findColumn(columns, wanted)
    if (!column) {
      problems.push(
        `property ${names.join('.')}: ${table} has no column ${wanted.join(' or ')}; it has ${columns.map((one) => one.name).join(', ')}`,
      )
      return { column: '' }
    }
    const stored = storedAs(property.type, column.kind)
    if (stored === 'unfit') {
      problems.push(
        `property ${names.join('.')}: the column ${column.name} of ${table} is of type ${column.declared}, which cannot be read as ${property.type}`,
      )
    }
    // An integer without nulls is a key mostly, and its index is worth more than a reading of what is none.
    const isPlain = stored === 'same' || stored === 'unfit' || (stored === 'integer' && !column.isNullable)
    return {
      column: column.name,
      ...(isPlain ? {} : { storedAs: stored }),
      ...(column.isNullable ? { isNullable: true } : {}),
    }
  }
  const company = document.properties.companyId
  if (!isSimple(company)) {
    problems.push(`a document on ${table} needs the property companyId, so that companies are kept apart`)
  }
  const companyColumn = isSimple(company) ? resolve({ names: ['companyId'], property: company }).column : ''
  const found = columns.find((column) => column.name === companyColumn)
  if (found && !COMPANY_KINDS.has(found.kind)) {
    problems.push(
      `property companyId: the column ${companyColumn} of ${table} is of type ${found.declared}; companies are kept apart by a column of text alone, such as of a view with cast(${companyColumn} as text)`,
    )
  }
  const definition = { ...definitionOf(document, table, companyColumn, resolve), isExternal: true }
  requireNoFault([...new Set(problems)].map((message) => ({ place, message })))
  return definition
}

function definitionOf(
  document: DocumentSetup,
  table: string,
  companyColumn: string,
  resolve: (simple: SimpleProperty) => Column,
): DocumentDefinition {
  const valueProperty = (names: readonly string[], property: PropertySetup): ValueProperty => {
    const { attributeId, valueList, type } = property
    const codes = attributeId === undefined ? valueList && { valueList } : { attributeId }
    return value(type, resolve({ names, property }), {
      ...(codes ? { codes } : {}),
      ...scaleOf(property),
      ...namesIn(property),
    })
  }
  const properties: Properties = Object.fromEntries(
    Object.entries(document.properties).flatMap(([name, property]): [string, Property][] => {
      if (isSimple(property)) return [[name, valueProperty([name], property)]]
      if (!('group' in property)) return []
      const inside = Object.entries(property.group).map(([inner, one]) => [inner, valueProperty([name, inner], one)])
      return [[name, group(Object.fromEntries(inside), namesIn(property))]]
    }),
  )
  const { name, version = 1, key } = document
  return { name, version, ...documentNames(document), table, companyColumn, joins: {}, key, properties }
}

function findColumn(columns: readonly TableColumn[], wanted: readonly string[]): TableColumn | undefined {
  for (const name of wanted) {
    const found =
      columns.find((column) => column.name === name) ??
      columns.find((column) => column.name.toLowerCase() === name.toLowerCase())
    if (found) return found
  }
  return undefined
}

/** Column types for companies. In other types, different texts such as 1 and 01 may be the same value. */
const COMPANY_KINDS: ReadonlySet<ColumnKind> = new Set(['text', 'text-or-date', 'padded-text'])

/** How each kind of column is read as each type. Missing combinations are not supported. */
const CONVERSIONS: Readonly<Record<StoredType, Readonly<Partial<Record<ColumnKind, StoredAs | 'same'>>>>> = {
  string: {
    text: 'text',
    'text-or-date': 'text',
    'padded-text': 'padded-text',
    uuid: 'padded-text',
    integer: 'padded-text',
  },
  integer: { integer: 'integer' },
  number: { double: 'double', decimal: 'decimal', integer: 'decimal' },
  // External tables may hold more digits than the scale allows.
  decimal: {},
  boolean: { boolean: 'same', integer: 'flag' },
  'date-time': { date: 'date', timestamp: 'timestamp', timestamptz: 'timestamptz', 'text-or-date': 'timestamp' },
}

function storedAs(type: StoredType, kind: ColumnKind): StoredAs | 'same' | 'unfit' {
  return CONVERSIONS[type][kind] ?? 'unfit'
}
