// Inserts many rows with one statement: one array parameter per column, so that the text does not depend on the number
// of rows.

import { lastDigit } from '../../../base/numbers/decimal.ts'
import type { ValueType } from '../../../model/document.ts'
import type { RowTarget } from '../../store.ts'
import type { SqlValue } from '../dialect.ts'
import { postgresDialect } from './dialect.ts'

const { quote } = postgresDialect

const ARRAYS: Readonly<Record<ValueType, string>> = {
  string: 'text[]',
  'date-time': 'text[]',
  integer: 'bigint[]',
  boolean: 'bigint[]',
  number: 'double precision[]',
  decimal: 'bigint[]',
}

/**
 * The statement's parameters are one array per column, then the company, the time and the user. It returns the keys of
 * the inserted rows.
 */
export function rowInsertText({ table, columns, key }: RowTarget): string {
  const names = columns.map(({ name }) => quote(name)).join(', ')
  const arrays = columns.map(({ type }, at) => `$${at + 1}::${ARRAYS[type]}`).join(', ')
  const stamp = [1, 2, 3].map((position) => `$${columns.length + position}`).join(', ')
  const values = columns.map(({ type, scale = 0 }, at) =>
    type === 'decimal' ? `r.c${at + 1} * ${lastDigit(scale)}` : `r.c${at + 1}`,
  )
  const aliases = columns.map((_column, at) => `c${at + 1}`).join(', ')
  return `insert into ${quote(table)} (${names}, company_id, updated_at, updated_by)
    select ${values.join(', ')}, ${stamp} from unnest(${arrays}) r(${aliases}) on conflict do nothing returning ${key.map(quote).join(', ')}`
}

/** The rows as one array per column. */
export function columnArrays({ columns }: RowTarget, rows: readonly (readonly SqlValue[])[]): SqlValue[][] {
  return columns.map((_column, at) => rows.map((row) => row[at]!))
}

/** Which of the rows were inserted, by the returned keys; of two rows with the same key, the first one was. */
export function findInserted(
  { columns, key }: RowTarget,
  rows: readonly (readonly SqlValue[])[],
  added: readonly Readonly<Record<string, SqlValue>>[],
): boolean[] {
  const remainingKeys = new Set(added.map((row) => JSON.stringify(key.map((name) => row[name]))))
  const positions = key.map((name) => columns.findIndex((column) => column.name === name))
  return rows.map((row) => remainingKeys.delete(JSON.stringify(positions.map((position) => row[position]))))
}
