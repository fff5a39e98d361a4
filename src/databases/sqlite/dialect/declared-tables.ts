// Tables that a setup declares, and the columns of external tables.

import {
  type DeclaredTable,
  declaredTableSql,
  type KnownTable,
  missingColumns,
  uniqueIndexSql,
} from '../../../sql/schema.ts'
import type { ColumnKind, TableColumn } from '../../../store/store.ts'
import type { Connection } from './connection.ts'
import { sqliteSchema } from './schema.ts'

/** Creates the table, or adds its missing columns and returns their names. */
export function ensureTable(connection: Connection, table: DeclaredTable): string[] {
  const known = knownTable(connection, table)
  for (const statement of declaredTableSql(table, known, sqliteSchema)) connection.exec(statement)
  return missingColumns(table, known)
}

/** Creates the unique indexes that the table lacks. */
export function ensureUnique(connection: Connection, table: DeclaredTable): void {
  for (const statement of uniqueIndexSql(table, knownTable(connection, table))) connection.exec(statement)
}

function knownTable(connection: Connection, { name }: DeclaredTable): KnownTable {
  const columns = new Set(tableColumns(connection, name)?.map((column) => column.name))
  const indexes = connection.prepare('select name from pragma_index_list(?)').all(name)
  return { columns, indexes: new Set(indexes.map((index) => String(index.name))) }
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
