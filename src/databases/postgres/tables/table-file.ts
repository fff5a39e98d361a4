// The tables as the PostgreSQL catalogue describes them, and the format of the files that they are copied to: a header
// line with the columns, then one line per row, a JSON array of the texts that PostgreSQL itself writes and reads.

import type pg from 'pg'
import { jsonOrUndefined } from '../../../base/strict-json.ts'
import { textLiteral } from '../../../sql/dialect.ts'
import type { DeclaredColumn, DeclaredTable } from '../../../sql/schema.ts'
import { UNIQUE_INDEX_PREFIX } from '../../../sql/setup-index.ts'
import { DECLARED_TABLE_COLUMNS, RECORD_PREFIXES, TABLE_NAMES } from '../../../sql/tables.ts'
import { postgresDialect } from '../dialect/dialect.ts'
import { binding } from '../sessions/company-transaction.ts'
import { isDistributed, placementOf } from './placement.ts'

export type CopySession = Pick<pg.Client, 'query'>

interface Column {
  readonly name: string
  readonly type: string
  readonly default: string
}

export interface FoundTable {
  readonly name: string
  /**
   * Whether its companies are read one after the other: row-level security limits this session to the one that it is
   * bound to, or each is on a server of its own.
   */
  readonly isByCompany: boolean
  readonly columns: readonly Column[]
  readonly key: readonly string[]
  /** The columns of a declared table that a unique index of the setup is on. */
  readonly unique: readonly string[]
}

/** The first line of a file. */
export interface TableHeader {
  readonly table: string
  readonly columns: readonly string[]
  /** The shape of a declared table. */
  readonly own?: DeclaredTable
}

const TABLES = `
  select c.relname as "name", row_security_active(c.oid) as "isByCompany",
    (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
        'default', coalesce(pg_get_expr(d.adbin, d.adrelid), '')) order by a.attnum)
      from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as "columns",
    (select coalesce(json_agg(a.attname order by k.place), '[]')
      from pg_index i cross join unnest(i.indkey) with ordinality k(attnum, place)
      join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
      where i.indrelid = c.oid and i.indisprimary) as "key",
    (select coalesce(json_agg(a.attname order by a.attnum), '[]')
      from pg_index i join pg_class x on x.oid = i.indexrelid
      join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[1]
      where i.indrelid = c.oid and starts_with(x.relname, $2)) as "unique"
  from pg_class c
  where c.relkind = 'r' and pg_table_is_visible(c.oid)
    and (c.relname = any($1) or c.relname ^@ any($3)
      and exists (select 1 from pg_policy p where p.polrelid = c.oid and p.polname = 'own_company'))
  order by c.relname`

/** All existing tables of the application. */
export async function findTables(session: CopySession): Promise<FoundTable[]> {
  const { rows } = await session.query<FoundTable>(TABLES, [TABLE_NAMES, UNIQUE_INDEX_PREFIX, RECORD_PREFIXES])
  if (!(await isDistributed(session))) return rows
  return rows.map((table) => ({ ...table, isByCompany: placementOf(table.name) === 'company' }))
}

export function isDeclaredTable(name: string): boolean {
  return /^own_[a-z0-9_]+$/.test(name)
}

export function fileOf(table: string): string {
  return `${table}.ndjson`
}

export function headerOf({ name, columns, key, unique }: FoundTable): TableHeader {
  const header = { table: name, columns: columns.map((column) => column.name) }
  if (!isDeclaredTable(name)) return header
  const shaped = columns.filter((column) => !STANDARD_COLUMNS.includes(column.name))
  const own = {
    name,
    columns: shaped.map((column) => shapeOf(name, column)),
    key: key.filter((column) => column !== 'company_id'),
    ...(unique.length > 0 ? { unique } : {}),
  }
  return { ...header, own }
}

/** Columns that every declared table has. */
const STANDARD_COLUMNS: readonly string[] = ['company_id', ...DECLARED_TABLE_COLUMNS.map(({ name }) => name)]

function shapeOf(table: string, { name, type, default: preset }: Column): DeclaredColumn {
  if (type === 'text') return { name, type: preset.startsWith(`'1900-01-01`) ? 'date-time' : 'string' }
  if (type === 'json') return { name, type }
  if (type === 'bigint') return { name, type: 'integer' }
  if (type === 'double precision') return { name, type: 'number' }
  const scale = /^numeric\(\d+,(\d+)\)$/.exec(type)?.[1]
  if (scale !== undefined) return { name, type: 'decimal', scale: Number(scale) }
  throw new Error(`the column ${name} of ${table} is of type ${type}, which none of ours has`)
}

/** Parses the first line of a file; throws when it is not a header. */
export function readHeader(file: string, line: string | undefined): TableHeader {
  const header = jsonOrUndefined(line ?? '') as Partial<TableHeader> | undefined
  const isHeader = typeof header?.table === 'string' && fileOf(header.table) === file && Array.isArray(header.columns)
  if (!isHeader) throw new Error(`${file} does not begin with the columns of its table`)
  return header as TableHeader
}

/** The values of a row in the order of the columns; throws when the line is not a row. */
export function readRow(header: TableHeader, line: string): (string | null)[] {
  const row = jsonOrUndefined(line)
  const isRow = Array.isArray(row) && row.length === header.columns.length
  if (!isRow) throw new Error(`${fileOf(header.table)} has a line that is no row`)
  return row as (string | null)[]
}

const REFERENCED_CONTENTS = `
  select company_id as "companyId", file_hash as "hash", max(doc_size)::text as "size" from document_revision`
/** A mirror may not have fetched a content yet: it has no hash. */
const BY_CONTENT = "group by company_id, file_hash having file_hash <> '' order by company_id, file_hash"
const CONTENTS_AT_ONCE = 1_000

/** The contents that revisions refer to, by company and hash, read through a cursor in the open transaction. */
export async function* referencedContents(session: CopySession, tables: readonly FoundTable[]) {
  const revisions = tables.find(({ name }) => name === 'document_revision')
  if (!revisions) return
  for (const company of await companiesOf(session, revisions)) {
    await bind(session, company)
    await session.query(
      `declare referred no scroll cursor for ${REFERENCED_CONTENTS} ${rowsOf(revisions, company)} ${BY_CONTENT}`,
    )
    for (;;) {
      const { rows } = await session.query(`fetch ${CONTENTS_AT_ONCE} from referred`)
      for (const { companyId, hash, size } of rows) yield { companyId, hash, size: Number(size) }
      if (rows.length < CONTENTS_AT_ONCE) break
    }
    await session.query('close referred')
  }
}

const COMPANIES = `
  select company_id from (select '' as company_id union select company_id from setup_item
    union select id from setup_item where kind = 'company') all_of_them order by company_id collate "C"`

/**
 * The companies that a session must be bound to in turn to read all of a table; the empty one stands for rows of no
 * company.
 */
export async function companiesOf(session: CopySession, table: FoundTable): Promise<string[]> {
  return table.isByCompany ? allCompanies(session) : ['']
}

export async function allCompanies(session: CopySession): Promise<string[]> {
  return (await session.query<{ company_id: string }>(COMPANIES)).rows.map((row) => row.company_id)
}

/** The condition on the rows of a table that are read together. */
export function rowsOf({ isByCompany }: FoundTable, company: string): string {
  return isByCompany ? `where company_id = ${textLiteral(company)}` : ''
}

/** Binds the session to a company until the end of the transaction. */
export async function bind(session: CopySession, companyId: string): Promise<void> {
  await session.query(binding(companyId))
}

export const { quote } = postgresDialect
