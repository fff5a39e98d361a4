// The SQL of migrations that differs between databases.
import type { Kysely } from 'kysely'
import type { ColumnShape, CustomTable } from '../store.ts'
import { CHANGE_COLUMN, CUSTOM_TABLE_COLUMNS } from '../tables.ts'
import { columnList, quote } from './dialect.ts'

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
  /** The text after the closing parenthesis of `create table`. */
  readonly tail: string
  /** The same for a table with long rows, which are stored apart from the index of their key. */
  readonly longRowsTail: string
  readonly rowLevelSecurity: boolean
  /** Creates the word index of the full-text search. */
  readonly wordIndex: readonly string[]
  /** The view of the change log, unless every connection creates it for itself. */
  readonly journalView: readonly string[]
  /** Statements that lift the timeout of the transaction, before work on many rows. */
  readonly withoutTimeout: readonly string[]
  /** Statements after a change of indexes: statistics that an earlier version gathered would still influence plans. */
  readonly forgetStatistics: readonly string[]
  /** Replaces an index whose entries cannot hold long descriptions, where there is a limit. */
  readonly longTexts: readonly string[]
  /**
   * Converts a column of doubles to exact decimals. Throws, with the amount, when a double is not one of this scale
   * below the bound.
   */
  toDecimals(db: Kysely<unknown>, column: AmountColumn): Promise<void>
  /** The custom tables that have no `CHANGE_COLUMN` yet. */
  customTables(db: Kysely<unknown>): Promise<readonly Pick<CustomTable, 'name' | 'key'>[]>
}

/** The statement that adds the column to a table. */
export function changeColumn(table: string, schema: SchemaSql): string {
  return `alter table ${quote(table)} add column ${CHANGE_COLUMN} ${schema.integer}`
}

/**
 * The statement that creates the index by which the rows of an entry are found in the order of their keys. It has no
 * rows of earlier versions, so a query must name its condition too.
 */
export function changeIndex(table: string, key: readonly string[]): string {
  const columns = columnList(['company_id', CHANGE_COLUMN, ...key])
  return `create index ${quote(`changes_${table}`)} on ${quote(table)} (${columns}) where ${CHANGE_COLUMN} <> '0'`
}

export interface AmountColumn {
  readonly table: string
  readonly column: string
  readonly scale: number
  readonly bound: string
}

// The change log as clients read it: entries with their origins, their texts and hashes as text, and the previous hash.
// Missing rows never hide an entry: `audit verify` reports what was removed.

/** The SQL for the stored columns of the change log. Arguments and results are SQL expressions. */
export interface JournalSql {
  /** Decompresses a text. `prefix` is itself compressed. */
  text(packed: string, dictionary: string, prefix?: string): string
  hex(bytes: string): string
  instant(milliseconds: string): string
}

const DICTIONARY =
  '(select d.bytes from journal_dictionary d where d.company_id = t.company_id and d.dictionary_no = t.dictionary_no)'

/**
 * The change log as clients read it: entries with their origins, their texts and hashes as text, and the previous hash.
 * Missing rows never hide an entry: `audit verify` reports what was removed. Returns the text that follows
 * `create view`.
 */
export function journalView(stored: JournalSql): string {
  const origin = (column: string) => `coalesce(o.${column}, '') as ${column}`
  const hash = (entry: string) => stored.hex(`substr(${entry}.hash, 1, 32)`)
  return `audit_entry as
    select t.company_id, t.entry_no, ${origin('entity')}, t.record_key, ${origin('operation')}, ${origin('user_id')},
      ${origin('client_id')}, ${stored.instant('t.at')} as at, t.request_id,
      ${stored.text('t.before', DICTIONARY, 't.after')} as before, ${stored.text('t.after', DICTIONARY)} as after,
      coalesce((select ${hash('p')} from journal_entry p where p.company_id = t.company_id and p.entry_no < t.entry_no
        order by p.entry_no desc limit 1), '') as previous_hash,
      ${hash('t')} as hash
    from journal_entry t left join journal_origin o on o.company_id = t.company_id and o.origin_no = t.origin_no`
}

/** The statements that create a custom table, or add the columns that it lacks. */
export function customTableSql({ name, columns, key }: CustomTable, known: ReadonlySet<string>, schema: SchemaSql) {
  const table = quote(name)
  const all: ColumnShape[] = [...columns, ...CUSTOM_TABLE_COLUMNS]
  const definitionOf = (column: ColumnShape) => `${quote(column.name)} ${columnType(column, schema)}`
  if (known.size > 0) {
    const missing = all.filter((column) => !known.has(column.name))
    return [
      ...missing.map((column) => `alter table ${table} add column ${definitionOf(column)}`),
      ...(known.has(CHANGE_COLUMN) ? [] : [changeIndex(name, key)]),
    ]
  }
  const definitions = [`company_id ${schema.text}`, ...all.map(definitionOf)]
  const create = `create table ${table} (${definitions.join(', ')}, primary key (${columnList(['company_id', ...key])}))${schema.tail}`
  return [create, changeIndex(name, key), ...(schema.rowLevelSecurity ? rowLevelSecurity(table) : [])]
}

function columnType({ type, scale = 0 }: ColumnShape, schema: SchemaSql): string {
  switch (type) {
    case 'string':
      return schema.text
    case 'date-time':
      return schema.instant
    case 'number':
      return schema.number
    case 'decimal':
      return schema.decimal(scale)
    default:
      return schema.integer
  }
}

/**
 * Row-level security as a second line of defence: even a statement without a company predicate only accesses the
 * company of its session.
 */
export function rowLevelSecurity(table: string): string[] {
  const isOwnCompany = `company_id = current_setting('tabularium.company', true)`
  return [
    `alter table ${table} enable row level security`,
    `alter table ${table} force row level security`,
    `create policy own_company on ${table} using (${isOwnCompany}) with check (${isOwnCompany})`,
  ]
}
