// The statements of a record, from its definition: its JSON for the single GET, and the columns of its row.

import type { RawBuilder } from 'kysely'
import type { TSchema } from 'typebox'
import { memo } from '../base/memo.ts'
import { unitsOf } from '../base/numbers/decimal.ts'
import type { DocumentDefinition, Join } from '../model/document.ts'
import { storedPart } from '../model/fill-record.ts'
import { type ColumnsOf, columnOf, type Field, type Fields, walkFields } from '../model/record-fields.ts'
import { kindOf, scaleOf } from '../model/schema.ts'
import { type Dialect, type Placeholder, quote, type SqlValue } from './dialect.ts'
import { withCompany } from './statement.ts'
import { COMPANY_COLUMN } from './tables.ts'

/** The alias of the record's table. */
export const RECORD = 'm'
/** The alias of the table of a list's items. */
export const ITEM = 'i'

/** How a statement is written. */
export interface Writing {
  readonly dialect: Dialect
  /** SQL of the company, which every table is restricted to by itself. */
  readonly company: string
}

/** SQL of the record as a JSON object of these fields, in their order. */
export function recordJson(fields: Fields, dialect: Dialect, companyId: RawBuilder<never>): RawBuilder<unknown> {
  return withCompany((company) => objectJson(fields, { dialect, company }, RECORD), companyId)
}

/** SQL of the record's table with its joins. A joined row may be missing: its columns read as empty. */
export function fromRecord(
  { table, joins }: Pick<DocumentDefinition, 'table' | 'joins'>,
  companyId: RawBuilder<never>,
): RawBuilder<unknown> {
  return withCompany((company) => `from ${table} ${RECORD}${joinsOf(joins, RECORD, company)}`, companyId)
}

/** SQL of a row of a table as a JSON object of these fields. */
function objectJson(fields: Fields, writing: Writing, alias: string): string {
  return writing.dialect.jsonObject(membersOf(fields, writing, alias))
}

/** The members of such an object, each with its SQL. */
export function membersOf(fields: Fields, writing: Writing, alias: string): [string, string][] {
  return Object.entries(fields).flatMap(([name, field]): [string, string][] => {
    const expression = field.schema && memberSql(name, field, writing, alias)
    return expression === undefined ? [] : [[name, expression]]
  })
}

/** Columns of documents of the setup may have any name. */
export function columnIn(alias: string, column: string): string {
  return `${alias}.${quote(column)}`
}

/** SQL of a member; undefined for one that the database does not have. */
function memberSql(name: string, field: Field, writing: Writing, alias: string): string | undefined {
  const { fields, source, itemTable, itemFields } = field
  const { dialect } = writing
  if (fields) return objectJson(fields, writing, alias)
  if (itemTable && itemFields) return itemsSql(itemTable, itemFields, writing, alias)
  if (source) {
    const column = `${source.table ?? alias}.${source.column}`
    return source.storedAs ? dialect.read(column, source.storedAs) : `coalesce(${column}, '')`
  }
  const column = columnOf(name, field)
  return column === '' ? undefined : columnSql(field, columnIn(alias, column), dialect, alias)
}

function columnSql(field: Field, column: string, dialect: Dialect, alias: string): string {
  if (field.isJson) return dialect.jsonPart(column)
  if (field.jsonColumn) return dialect.jsonPart(columnIn(alias, field.jsonColumn))
  if (field.names) return nameSql(field.names, column)
  const { schema } = field
  if (!schema) throw new Error(`${column} is in no single record`)
  switch (kindOf(schema)) {
    case 'number':
      return dialect.jsonNumber(column)
    case 'decimal':
      return dialect.jsonDecimal(column, scaleOf(schema))
    case 'boolean':
      return dialect.jsonFlag(column)
    case 'date-time':
      return field.hasZone ? column : `substr(${column}, 1, 23)`
    default:
      return column
  }
}

function nameSql(names: Readonly<Record<string, string>>, column: string): string {
  const [[, first] = [], ...others] = Object.entries(names)
  return `case ${column} ${others.map(([code, name]) => `when '${code}' then '${name}'`).join(' ')} else '${first}' end`
}

function itemsSql(
  { table, on, orderBy, joins }: NonNullable<Field['itemTable']>,
  fields: Fields,
  writing: Writing,
  alias: string,
): string {
  const { dialect, company } = writing
  const conditions = on.map(([own, item]) => `${ITEM}.${item} = ${columnIn(alias, own)}`)
  const where = [ofCompany(ITEM, company), ...conditions].join(' and ')
  const from = `from ${table} ${ITEM}${joinsOf(joins, ITEM, company)} where ${where}`
  return dialect.jsonList(objectJson(fields, writing, ITEM), from, `${ITEM}.${orderBy}`)
}

function ofCompany(alias: string, company: string): string {
  return `${alias}.${COMPANY_COLUMN} = ${company}`
}

function joinsOf(joins: Readonly<Record<string, Join>>, alias: string, company: string): string {
  return Object.entries(joins)
    .map(([name, { table, on }]) => {
      const conditions = on.map(([own, joined]) => `${name}.${joined} = ${own.table ?? alias}.${own.column}`)
      return ` left join ${table} ${name} on ${[ofCompany(name, company), ...conditions].join(' and ')}`
    })
    .join('')
}

/** The values of the columns of a record's row, except the company's. */
type RowOf<Own extends Fields> = Record<Exclude<keyof ColumnsOf<Own> & string, 'company_id'>, SqlValue>

interface OwnColumn {
  readonly name: string
  readonly field: Field
  read(record: object): SqlValue
}

const ownColumns = memo((fields: Fields): readonly OwnColumn[] =>
  [...walkFields(fields)].flatMap(([path, field]) => columnsAt(path, field)),
)

function columnsAt(path: readonly string[], field: Field): OwnColumn[] {
  const name = columnOf(path.at(-1) ?? '', field)
  if (name === '' || name === 'company_id' || !field.schema) return []
  const [first = ''] = path
  const valueIn = (record: object) =>
    path.length === 1
      ? (record as Record<string, unknown>)[first]
      : path.reduce<unknown>((part, member) => (part as Record<string, unknown>)[member], record)
  const stored = storedForm(field)
  const column = { name, field, read: (record: object) => stored(valueIn(record)) }
  if (!field.jsonColumn) return [column]
  return [column, { name: field.jsonColumn, field, read: (record) => JSON.stringify(valueIn(record)) }]
}

/** How the values of a field are stored. */
function storedForm({ schema, names, isJson, jsonColumn, itemFields }: Field): (value: unknown) => SqlValue {
  if (isJson) return schema && hasTimes(itemFields) ? (value) => storedPart(schema, value) : JSON.stringify
  if (jsonColumn) return String
  if (names) {
    const codes = Object.keys(names)
    return (value) => codes.find((code) => names[code] === value) ?? codes[0] ?? ''
  }
  const kind = schema && kindOf(schema)
  if (kind === 'boolean') return Number
  if (kind === 'decimal') return (value) => unitsOf(value as number, scaleOf(schema as TSchema)) ?? 0
  return (value) => value as SqlValue
}

function hasTimes(fields: Fields = {}): boolean {
  return [...walkFields(fields)].some(([, { schema }]) => schema && kindOf(schema) === 'date-time')
}

/** The row of a complete record, without its company. */
export function rowOf<Own extends Fields>(fields: Own, record: object): RowOf<Own> {
  const row: Record<string, SqlValue> = {}
  for (const column of ownColumns(fields)) row[column.name] = column.read(record)
  return row as RowOf<Own>
}

/** Those of some columns that have the same value in two records. */
export function equalColumns(fields: Fields, columns: ReadonlySet<string>, one: object, other: object): string[] {
  const own = ownColumns(fields).filter(({ name, read }) => columns.has(name) && read(one) === read(other))
  return own.map(({ name }) => name)
}

/** The values of such a row, in the order of its columns. */
export function valuesOf(fields: Fields, record: object): SqlValue[] {
  return ownColumns(fields).map(({ read }) => read(record))
}

/** One placeholder for each column of the fields and for each other column, for `values` and `set`. */
export function placeholdersOf<Own extends Fields, const Other extends string>(
  fields: Own,
  others: readonly Other[],
  p: Placeholder<Record<string, SqlValue>>,
  dialect: Dialect,
): Record<keyof RowOf<Own> | NoInfer<Other>, RawBuilder<never>> {
  const own = ownColumns(fields).map(({ name, field: { schema, isJson, jsonColumn } }) => {
    if (isJson || name === jsonColumn) return [name, dialect.json(p(name))]
    const isDecimal = schema && kindOf(schema) === 'decimal'
    return [name, isDecimal ? dialect.decimal(p(name), scaleOf(schema)) : p(name)]
  })
  return Object.fromEntries([...own, ...others.map((name) => [name, p(name)])])
}
