// The SQL of stored records of a document of the setup, when a later setup declares stricter rules for them.
import { type RawBuilder, sql } from 'kysely'
import { OPEN_FROM } from '../../base/dates.ts'
import type { DocumentDefinition, ValueType } from '../../model/document.ts'
import type { Fields } from '../../model/record-fields.ts'
import { quote, type SqlValue } from '../../sql/dialect.ts'
import { fromRecord, recordJson } from '../../sql/record-statements.ts'
import { setupStatement } from '../../sql/statement.ts'
import type { ReadTx } from '../store.ts'

/** The table of a document, and the columns of its key without the company. */
export interface OwnTable {
  readonly document: DocumentDefinition
  readonly keyColumns: readonly string[]
}

/** Some of the records that meet a condition, by their keys, and how many do. */
export interface FoundRows {
  readonly total: number
  readonly keys: readonly string[]
}

interface EmptyColumn {
  readonly column: string
  readonly type: ValueType
}

type Values = Record<string, SqlValue>

/** Each page is held in memory as a whole. */
const PAGE_ROWS = 5_000

/** The records of the company in the order of their keys: pages of the JSON of these fields. */
export async function* declaredRecordPages(
  tx: ReadTx,
  table: OwnTable,
  fields: Fields,
): AsyncGenerator<readonly string[]> {
  const first = pageStatement(table, fields, false)
  const next = pageStatement(table, fields, true)
  let after: Values = {}
  for (let isFirst = true; ; isFirst = false) {
    const rows = await tx.all(isFirst ? first : next, { companyId: tx.companyId, ...after })
    if (rows.length > 0) yield rows.map(({ body }) => String(body))
    const last = rows.at(-1)
    if (!last || rows.length < PAGE_ROWS) return
    after = Object.fromEntries(table.keyColumns.map((_column, at) => [`k${at}`, last[`k${at}`] ?? '']))
  }
}

function pageStatement({ document, keyColumns }: OwnTable, fields: Fields, isNext: boolean) {
  return setupStatement<Values, Values>(`list_${document.table}`, (_db, p, dialect) => {
    const keys = keyColumns.map((column) => sql.ref(`m.${column}`))
    const after = keyColumns.map((_column, at) => p(`k${at}`))
    const isAfter = isNext ? sql` and (${sql.join(keys)}) > (${sql.join(after)})` : sql``
    return sql`select ${recordJson(fields, dialect, p('companyId'))} as body, ${named(keys)}
      ${fromRecord({ table: quote(document.table), joins: {} }, p('companyId'))}
      where m.company_id = ${p('companyId')}${isAfter} order by ${sql.join(keys)} limit ${sql.lit(PAGE_ROWS)}`
  })
}

function named(keys: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(keys.map((key, at) => sql`${key} as ${sql.ref(`k${at}`)}`))
}

/** The records of the company whose value in the column another one has too; empty values are not compared. */
export function findDuplicates(tx: ReadTx, table: OwnTable, by: EmptyColumn, most: number): Promise<FoundRows> {
  const { document, keyColumns } = table
  return found(tx, table, most, (companyId) => {
    const keys = sql.join(keyColumns.map((column) => sql.ref(`m.${column}`)))
    const value = sql.ref(`m.${by.column}`)
    return sql`(select ${keys}, count(*) over (partition by ${value}) as same from ${sql.table(document.table)} m
      where m.company_id = ${companyId} and not (${isEmpty(by)})) m where m.same > 1`
  })
}

/** The records of the company that refer to a record of another table that is not there. */
export function findUnreferenced(
  tx: ReadTx,
  table: OwnTable,
  own: readonly EmptyColumn[],
  other: { readonly table: string; readonly columns: readonly string[] },
  most: number,
): Promise<FoundRows> {
  return found(tx, table, most, (companyId) => {
    const isSame = own.map(({ column }, at) => sql`${sql.ref(`r.${other.columns[at]}`)} = ${sql.ref(`m.${column}`)}`)
    return sql`${sql.table(table.document.table)} m
      where m.company_id = ${companyId} and not (${sql.join(own.map(isEmpty), sql` and `)}) and not exists (
        select 1 from ${sql.table(other.table)} r
        where r.company_id = ${companyId} and ${sql.join(isSame, sql` and `)})`
  })
}

/** All records of the company. */
export function findAll(tx: ReadTx, table: OwnTable, most: number): Promise<FoundRows> {
  return found(
    tx,
    table,
    most,
    (companyId) => sql`${sql.table(table.document.table)} m where m.company_id = ${companyId}`,
  )
}

async function found(
  tx: ReadTx,
  { document, keyColumns }: OwnTable,
  most: number,
  from: (companyId: RawBuilder<never>) => RawBuilder<unknown>,
): Promise<FoundRows> {
  const select = setupStatement<Values, Values>(`find_${document.table}`, (_db, p) => {
    const keys = keyColumns.map((column) => sql.ref(`m.${column}`))
    return sql`select ${named(keys)}, count(*) over () as total from ${from(p('companyId'))}
      order by ${sql.join(keys)} limit ${sql.lit(most)}`
  })
  const rows = await tx.all(select, { companyId: tx.companyId })
  const keyOf = (row: Values) => keyColumns.map((_column, at) => String(row[`k${at}`])).join('/')
  return { total: Number(rows[0]?.total ?? 0), keys: rows.map(keyOf) }
}

function isEmpty({ column, type }: EmptyColumn): RawBuilder<unknown> {
  const empty = type === 'string' ? '' : type === 'date-time' ? OPEN_FROM : 0
  return sql`${sql.ref(`m.${column}`)} = ${sql.lit(empty)}`
}
