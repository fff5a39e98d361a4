// Tables that a setup declares, and the columns of external tables.

import type pg from 'pg'
import { quote } from '../../../sql/dialect.ts'
import {
  type DeclaredTable,
  declaredTableSql,
  type KnownTable,
  missingColumns,
  uniqueIndexSql,
} from '../../../sql/schema.ts'
import type { ColumnKind, TableColumn } from '../../../store/store.ts'
import { freeNewTable } from './grant-service.ts'
import { moveTable } from './placed-tables.ts'
import { isDistributed } from './placement.ts'
import { postgresSchema } from './schema.ts'

type Session = Pick<pg.PoolClient, 'query'>

/** Creates the table with row-level security, or adds its missing columns and returns their names. */
export async function ensureTable(session: Session, table: DeclaredTable): Promise<string[]> {
  const known = await knownTable(session, table)
  for (const statement of declaredTableSql(table, known, postgresSchema)) await session.query(statement)
  if (known.columns.size === 0) await place(session, table)
  return missingColumns(table, known)
}

/** The rows of a company are where its other records are. */
async function place(session: Session, { name }: DeclaredTable): Promise<void> {
  await freeNewTable(session, name)
  if (!(await isDistributed(session))) return
  for (const statement of moveTable({ name, placement: 'company' })) await session.query(statement)
}

/** Creates the unique indexes that the table lacks. */
export async function ensureUnique(session: Session, table: DeclaredTable): Promise<void> {
  for (const statement of uniqueIndexSql(table, await knownTable(session, table))) await session.query(statement)
}

async function knownTable(session: Session, { name }: DeclaredTable): Promise<KnownTable> {
  const columns = new Set((await tableColumns(session, name))?.map((column) => column.name))
  const { rows } = await session.query<{ name: string }>(INDEXES, [quote(name)])
  return { columns, indexes: new Set(rows.map((index) => index.name)) }
}

const INDEXES = `
  select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
  where i.indrelid = to_regclass($1)`

const COLUMNS = `
  select a.attname as name, format_type(a.atttypid, null) as declared, not a.attnotnull as nullable
  from pg_attribute a
  where a.attrelid = to_regclass($1) and a.attnum > 0 and not a.attisdropped
  order by a.attnum`

/** Undefined when there is no such table or view, or when this role may not access it. */
export async function tableColumns(session: Session, table: string): Promise<TableColumn[] | undefined> {
  const name = table.split('.').map(quote).join('.')
  const { rows } = await session.query<{ name: string; declared: string; nullable: boolean }>(COLUMNS, [name])
  if (rows.length === 0) return undefined
  return rows.map(({ name: column, declared, nullable }) => ({
    name: column,
    declared,
    kind: KINDS[declared] ?? 'other',
    isNullable: nullable,
  }))
}

const KINDS: Readonly<Record<string, ColumnKind>> = {
  text: 'text',
  'character varying': 'text',
  name: 'padded-text',
  character: 'padded-text',
  uuid: 'uuid',
  smallint: 'integer',
  integer: 'integer',
  bigint: 'integer',
  numeric: 'decimal',
  real: 'decimal',
  'double precision': 'double',
  boolean: 'boolean',
  date: 'date',
  'timestamp without time zone': 'timestamp',
  'timestamp with time zone': 'timestamptz',
}
