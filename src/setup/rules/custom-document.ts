// A custom Enterprise Document: on a table that the service creates, or on an existing external table.
import {
  type Column,
  type DocumentDefinition,
  group,
  lastUpdated,
  type Properties,
  type StoredAs,
  type ValueProperty,
  type ValueType,
  value,
} from '../../model/document.ts'
import type { ColumnKind, CustomTable, TableColumn } from '../../store/store.ts'
import type { DocumentSetup } from '../read/setup-schema.ts'

type PropertySetup = Exclude<DocumentSetup['properties'][string], { group: unknown }>

/** Name of the table that the service creates for a custom document. */
export function customTableName(document: Pick<DocumentSetup, 'name'>): string {
  return `own_${document.name.replaceAll('-', '_')}`
}

/** The shape of that table. */
export function customTableOf(document: DocumentSetup): CustomTable {
  const columns = simpleProperties(document)
    .map(({ names, property }) => ({
      name: property.column ?? columnNames(names)[0] ?? '',
      type: property.type,
      ...scaleOf(property),
    }))
    .filter(({ name }) => name !== 'company_id')
  const key = document.key.filter((name) => name !== 'companyId').map((name) => columnOf(document, name))
  return { name: customTableName(document), columns, key }
}

/** The definition of a document on its custom table. */
export function customDefinition(document: DocumentSetup): DocumentDefinition {
  const resolve = ({ names, property }: SimpleProperty): Column => ({
    column: property.column ?? columnNames(names)[0] ?? '',
    ...(property.type === 'boolean' ? { storedAs: 'flag' as const } : {}),
  })
  const definition = definitionOf(document, customTableName(document), 'company_id', resolve)
  const properties = { ...definition.properties, ...boundedKey(definition), lastUpdated }
  return { ...definition, indexes: [], properties }
}

/** An entry of PostgreSQL's index of a key has no more characters of four bytes than these, less the company's. */
const KEY_LENGTH = 600
const LONGEST_KEY_TEXT = 255

/** The texts of a key, which are stored whole in its index. */
function boundedKey({ key, properties }: DocumentDefinition): Properties {
  const texts = key.flatMap((name) => {
    const property = properties[name]
    return name !== 'companyId' && property?.kind === 'value' && property.type === 'string' ? [{ name, property }] : []
  })
  const maxLength = Math.min(LONGEST_KEY_TEXT, Math.floor(KEY_LENGTH / texts.length))
  return Object.fromEntries(texts.map(({ name, property }) => [name, { ...property, maxLength }]))
}

/** The definition of a document on an external table. Throws one error that lists all mismatches. */
export function externalTableDefinition(
  document: DocumentSetup,
  columns: readonly TableColumn[] | undefined,
): DocumentDefinition {
  const { name, table = '' } = document
  if (!columns) throw new Error(`document ${name}: there is no table or view ${table}`)
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
    return {
      column: column.name,
      ...(stored === 'same' || stored === 'unfit' ? {} : { storedAs: stored }),
      ...(column.isNullable ? { isNullable: true } : {}),
    }
  }
  const company = document.properties.companyId
  if (!company || 'group' in company) {
    problems.push(`a document on ${table} needs the property companyId, so that companies are kept apart`)
  }
  const companyColumn =
    company && !('group' in company) ? resolve({ names: ['companyId'], property: company }).column : ''
  const found = columns.find((column) => column.name === companyColumn)
  if (found && !COMPANY_KINDS.has(found.kind)) {
    problems.push(
      `property companyId: the column ${companyColumn} of ${table} is of type ${found.declared}; companies are kept apart by a column of text alone, such as of a view with cast(${companyColumn} as text)`,
    )
  }
  const definition = { ...definitionOf(document, table, companyColumn, resolve), isExternal: true }
  if (problems.length > 0) throw new Error([...new Set(problems)].map((one) => `document ${name}: ${one}`).join('\n'))
  return definition
}

interface SimpleProperty {
  /** The name of the group, if there is one, and of the property. */
  readonly names: readonly string[]
  readonly property: PropertySetup
}

/** The scale, for a decimal only. */
function scaleOf({ type, scale = DEFAULT_SCALE }: PropertySetup): { scale?: number } {
  return type === 'decimal' ? { scale } : {}
}

const DEFAULT_SCALE = 2

function simpleProperties({ properties }: DocumentSetup): SimpleProperty[] {
  return Object.entries(properties).flatMap(([name, property]) =>
    'group' in property
      ? Object.entries(property.group).map(([inner, one]) => ({ names: [name, inner], property: one }))
      : [{ names: [name], property }],
  )
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
    return value(type, resolve({ names, property }), { ...(codes ? { codes } : {}), ...scaleOf(property) })
  }
  const properties: Properties = Object.fromEntries(
    Object.entries(document.properties).map(([name, property]) => {
      if (!('group' in property)) return [name, valueProperty([name], property)]
      const inside = Object.entries(property.group).map(([inner, one]) => [inner, valueProperty([name, inner], one)])
      return [name, group(Object.fromEntries(inside))]
    }),
  )
  const { name, version = 1, key } = document
  return { name, version, description: 'As the setup defines it.', table, companyColumn, joins: {}, key, properties }
}

function columnOf(document: DocumentSetup, name: string): string {
  const property = document.properties[name]
  return (property && 'column' in property ? property.column : undefined) ?? columnNames([name])[0] ?? ''
}

/** Possible column names: snake_case with the group as prefix, snake_case without it, or the unchanged name. */
function columnNames(names: readonly string[]): string[] {
  const name = names.at(-1) ?? ''
  return [...new Set([names.map(snakeCase).join('_'), snakeCase(name), name])]
}

function snakeCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()
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
const CONVERSIONS: Readonly<Record<ValueType, Readonly<Partial<Record<ColumnKind, StoredAs | 'same'>>>>> = {
  string: {
    text: 'text',
    'text-or-date': 'text',
    'padded-text': 'padded-text',
    uuid: 'padded-text',
    integer: 'padded-text',
  },
  integer: { integer: 'same' },
  number: { double: 'same', decimal: 'decimal', integer: 'decimal' },
  // External tables may hold more digits than the scale allows.
  decimal: {},
  boolean: { boolean: 'same', integer: 'flag' },
  'date-time': { date: 'date', timestamp: 'timestamp', timestamptz: 'timestamptz', 'text-or-date': 'timestamp' },
}

function storedAs(type: ValueType, kind: ColumnKind): StoredAs | 'same' | 'unfit' {
  return CONVERSIONS[type][kind] ?? 'unfit'
}
