// Custom tables declared by a setup, and the columns of external tables.

import type { ValueType } from '../../../model/document.ts'
import type { ColumnKind, CustomTable, TableColumn } from '../../store.ts'
import { quote } from '../dialect.ts'
import type { Connection } from './connection.ts'

const TYPES: Readonly<Record<ValueType, string>> = {
  string: `text not null default ''`,
  integer: 'integer not null default 0',
  number: 'real not null default 0',
  decimal: 'integer not null default 0',
  boolean: 'integer not null default 0',
  'date-time': `text not null default '1900-01-01T00:00:00.000Z'`,
}

/** Creates the table, or adds its missing columns. */
export function ensureTable(connection: Connection, { name, columns, key }: CustomTable): void {
  const known = new Set(tableColumns(connection, name)?.map((column) => column.name))
  const all = [...columns, { name: 'updated_at', type: 'date-time' }, { name: 'updated_by', type: 'string' }] as const
  if (known.size === 0) {
    const definitions = all.map((column) => `${quote(column.name)} ${TYPES[column.type]}`)
    const primary = ['company_id', ...key].map(quote).join(', ')
    connection.exec(
      `create table ${quote(name)} (company_id ${TYPES.string}, ${definitions.join(', ')}, primary key (${primary})) strict, without rowid`,
    )
    return
  }
  for (const column of all) {
    if (known.has(column.name)) continue
    connection.exec(`alter table ${quote(name)} add column ${quote(column.name)} ${TYPES[column.type]}`)
  }
}

/** Undefined when there is no such table or view. */
export function tableColumns(connection: Connection, table: string): TableColumn[] | undefined {
  const parts = table.split('.')
  const [schema = 'main', name = table] = parts.length === 2 ? parts : []
  // SQLite throws when asked for columns in a database that is not attached.
  if (!connection.prepare('select 1 from pragma_database_list where lower(name) = lower(?)').get(schema))
    return undefined
  const rows = connection.prepare('select * from pragma_table_xinfo(?, ?)').all(name, schema) as {
    name: string
    type: string
    notnull: number
    pk: number
  }[]
  if (rows.length === 0) return undefined
  return rows.map(({ name: column, type, notnull }) => ({
    name: column,
    declared: type || 'no type',
    kind: kindOf(type.toLowerCase()),
    isNullable: notnull === 0,
  }))
}

/**
 * Determined by the declared type, like SQLite's affinity. A column without a type may hold anything and is read as
 * text.
 */
function kindOf(declared: string): ColumnKind {
  if (/datetime|timestamp/.test(declared)) return 'timestamp'
  if (declared.includes('date')) return 'date'
  if (declared.includes('bool')) return 'boolean'
  if (declared.includes('int')) return 'integer'
  if (/char|clob|text/.test(declared) || declared === '') return 'text-or-date'
  if (/real|floa|doub/.test(declared)) return 'double'
  if (/dec|num/.test(declared)) return 'decimal'
  return 'other'
}
