// The SQL of migrations that differs between databases.
import type { Kysely } from 'kysely'
import { OPEN_FROM } from '../base/dates.ts'
import { type Units, unitsOf } from '../base/numbers/decimal.ts'
import type { ValueType } from '../model/document.ts'
import { columnList, quote, textLiteral } from './dialect.ts'
import { rowLevelSecurity } from './row-security.ts'
import { UNIQUE_INDEX_PREFIX, uniqueIndexName } from './setup-index.ts'
import { CHANGE_COLUMN, DECLARED_TABLE_COLUMNS, JOURNAL } from './tables.ts'

export interface ColumnShape {
  readonly name: string
  readonly type: ValueType
  /** The number of decimal places of a decimal. */
  readonly scale?: number
}

/**
 * A table that a setup declares. Each also has columns for the company and for the time and author of the last
 * change.
 */
export interface DeclaredTable {
  readonly name: string
  readonly columns: readonly DeclaredColumn[]
  /** Columns that together are unique within a company. */
  readonly key: readonly string[]
  /** Columns of which each is unique within a company, except its empty value. */
  readonly unique?: readonly string[]
}

/** A property, or a list of items as JSON. */
export interface DeclaredColumn extends Omit<ColumnShape, 'type'> {
  readonly type: ValueType | 'json'
  /** What earlier rows get when the column is added, if it is not the empty value. */
  readonly initial?: string | number | boolean
}

export interface SchemaSql {
  // The types of columns: nothing is null, and text is ordered by code point.
  readonly text: string
  readonly integer: string
  readonly number: string
  readonly json: string
  readonly instant: string
  readonly bytes: string
  /** An exact number with this many decimal places. */
  decimal(scale: number): string
  /** The literal of an exact number. */
  decimalLiteral(units: Units, scale: number): string
  /** The statements that give a column another default, where a table keeps the values of its earlier rows. */
  changedDefault(table: string, column: string, literal: string): readonly string[]
  /** The text after the closing parenthesis of `create table`. */
  readonly tail: string
  /** The same for a table with long rows, which are stored apart from the index of their key. */
  readonly longRowsTail: string
  readonly rowLevelSecurity: boolean
  /** Creates the word index of the full-text search. */
  readonly wordIndex: readonly string[]
  /** The view of the change log, unless every connection creates it for itself. */
  readonly journalView: readonly string[]
  /** The indexes of descriptions of values, whose complete texts may be too long for an entry. */
  readonly descriptionIndexes: readonly string[]
  /**
   * Runs migrations on one connection while no other process runs any; in a transaction where nobody uses the database
   * meanwhile.
   */
  migrateAlone<T>(db: Kysely<unknown>, work: (alone: Kysely<unknown>) => Promise<T>): Promise<T>
  /** Builds an index of a table that may be large, unless it is there; `on` is what follows `on` in SQL. */
  buildIndex(db: Kysely<unknown>, name: string, on: string): Promise<void>
  dropIndex(db: Kysely<unknown>, name: string): Promise<void>
}

/**
 * The statement that creates the index by which the rows of an entry are found in the order of their keys.
 */
export function changeIndex(table: string, key: readonly string[]): string {
  const columns = columnList(['company_id', CHANGE_COLUMN, ...key])
  return `create index ${quote(`changes_${table}`)} on ${quote(table)} (${columns}) where ${CHANGE_COLUMN} <> '0'`
}

/** The SQL for the stored columns of the change log. Arguments and results are SQL expressions. */
export interface JournalSql {
  /** Decompresses a text. `prefix` is itself compressed. */
  text(packed: string, dictionary: string, prefix?: string): string
  hex(bytes: string): string
  instant(milliseconds: string): string
}

/**
 * The change log as clients read it: entries with their origins, their texts and hashes as text, and the previous hash.
 * Missing rows never hide an entry: `audit verify` reports what was removed. Selects the entries of a company.
 */
export function journalOf(stored: JournalSql, company: string): string {
  return `${entriesSql(stored, company)} where t.company_id = ${company}`
}

/** The entries of all companies, for people who look at the database: the text that follows `create view`. */
export function journalView(stored: JournalSql): string {
  return `${JOURNAL} as
    ${entriesSql(stored, 't.company_id')}`
}

/** `company` is the SQL of the company of an entry. */
function entriesSql(stored: JournalSql, company: string): string {
  const origin = (column: string) => `coalesce(o.${column}, '') as ${column}`
  const hash = (entry: string) => stored.hex(`substr(${entry}.hash, 1, 32)`)
  const dictionary = `(select d.bytes from journal_dictionary d where d.company_id = ${company} and d.dictionary_no = t.dictionary_no)`
  return `select t.company_id, t.entry_no, ${origin('entity')}, t.record_key, ${origin('operation')}, ${origin('user_id')},
      ${origin('client_id')}, ${stored.instant('t.at')} as at, t.request_id,
      ${stored.text('t.before', dictionary, 't.after')} as before, ${stored.text('t.after', dictionary)} as after,
      coalesce((select ${hash('p')} from journal_entry p where p.company_id = ${company} and p.entry_no < t.entry_no
        order by p.entry_no desc limit 1), '') as previous_hash,
      ${hash('t')} as hash
    from journal_entry t left join journal_origin o on o.company_id = ${company} and o.origin_no = t.origin_no`
}

/** What a database has of a declared table. */
export interface KnownTable {
  /** None where there is no such table. */
  readonly columns: ReadonlySet<string>
  readonly indexes: ReadonlySet<string>
}

/** The statements that create a declared table, or add what columns it lacks and drop unique indexes of earlier. */
export function declaredTableSql(custom: DeclaredTable, known: KnownTable, schema: SchemaSql): string[] {
  const { name, columns, key } = custom
  const table = quote(name)
  const all: DeclaredColumn[] = [...columns, ...DECLARED_TABLE_COLUMNS]
  if (known.columns.size > 0) {
    const missing = all.filter((column) => !known.columns.has(column.name))
    return [
      ...missing.flatMap((column) => addedColumn(table, column, schema)),
      ...(known.columns.has(CHANGE_COLUMN) ? [] : [changeIndex(name, key)]),
      ...droppedIndexes(custom, known).map((index) => `drop index ${quote(index)}`),
    ]
  }
  const definitions = [`company_id ${schema.text}`, ...all.map((column) => columnDefinition(column, schema))]
  const create = `create table ${table} (${definitions.join(', ')}, primary key (${columnList(['company_id', ...key])}))${schema.tail}`
  const guard = schema.rowLevelSecurity ? rowLevelSecurity(table) : []
  return [create, changeIndex(name, key), ...guard]
}

export function missingColumns({ columns }: DeclaredTable, known: KnownTable): string[] {
  if (known.columns.size === 0) return []
  return columns.map(({ name }) => name).filter((name) => !known.columns.has(name))
}

/** The statements that create the unique indexes that a table lacks. */
export function uniqueIndexSql(custom: DeclaredTable, { indexes }: KnownTable): string[] {
  const { name, unique = [] } = custom
  const added = unique.filter((column) => !indexes.has(uniqueIndexName(name, column)))
  return added.map((column) => uniqueIndex(custom, column))
}

/** The earlier rows get the initial value. Later ones always name one: then the column is as it was created with it. */
function addedColumn(table: string, column: DeclaredColumn, schema: SchemaSql): string[] {
  const definition = columnDefinition(column, schema)
  const initial = initialLiteral(column, schema)
  if (initial === undefined) return [`alter table ${table} add column ${definition}`]
  const [type = '', empty = ''] = definition.split(' default ')
  return [
    `alter table ${table} add column ${type} default ${initial}`,
    ...schema.changedDefault(table, quote(column.name), empty),
  ]
}

function initialLiteral({ type, scale = 0, initial }: DeclaredColumn, schema: SchemaSql): string | undefined {
  if (initial === undefined) return undefined
  if (type === 'decimal') return schema.decimalLiteral(unitsOf(initial, scale) ?? 0, scale)
  return typeof initial === 'string' ? textLiteral(initial) : String(Number(initial))
}

function columnDefinition(column: DeclaredColumn, schema: SchemaSql): string {
  return `${quote(column.name)} ${columnType(column, schema)}`
}

/** Two writers cannot both store the same value. */
function uniqueIndex({ name, columns }: DeclaredTable, column: string): string {
  const type = columns.find((one) => one.name === column)?.type
  const empty = type === 'string' ? "''" : type === 'date-time' ? `'${OPEN_FROM}'` : '0'
  const index = quote(uniqueIndexName(name, column))
  return `create unique index ${index} on ${quote(name)} (${columnList(['company_id', column])}) where ${quote(column)} <> ${empty}`
}

function droppedIndexes({ name, unique = [] }: DeclaredTable, { indexes }: KnownTable): string[] {
  const wanted = new Set(unique.map((column) => uniqueIndexName(name, column)))
  return [...indexes].filter((index) => index.startsWith(UNIQUE_INDEX_PREFIX) && !wanted.has(index))
}

function columnType({ type, scale = 0 }: DeclaredColumn, schema: SchemaSql): string {
  switch (type) {
    case 'string':
      return schema.text
    case 'date-time':
      return schema.instant
    case 'number':
      return schema.number
    case 'decimal':
      return schema.decimal(scale)
    case 'json':
      return schema.json
    default:
      return schema.integer
  }
}
