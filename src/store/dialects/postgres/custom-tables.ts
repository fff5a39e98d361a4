// Custom tables declared by a setup, and the columns of external tables.

import type pg from 'pg'
import { DECIMAL_DIGITS } from '../../../base/numbers/decimal.ts'
import type { ValueType } from '../../../model/document.ts'
import type { ColumnKind, ColumnShape, CustomTable, TableColumn } from '../../store.ts'
import { quote } from '../dialect.ts'

const TYPES: Readonly<Record<Exclude<ValueType, 'decimal'>, string>> = {
  string: `text collate "C" not null default ''`,
  integer: 'bigint not null default 0',
  number: 'double precision not null default 0',
  boolean: 'bigint not null default 0',
  'date-time': `text collate "C" not null default '1900-01-01T00:00:00.000Z'`,
}

export function decimalType(scale: number): string {
  return `numeric(${DECIMAL_DIGITS}, ${scale}) not null default 0`
}

function typeOf({ type, scale = 0 }: ColumnShape): string {
  return type === 'decimal' ? decimalType(scale) : TYPES[type]
}

type Session = Pick<pg.PoolClient, 'query'>

/** Creates the table with row-level security, or adds its missing columns. */
export async function ensureTable(session: Session, { name, columns, key }: CustomTable): Promise<void> {
  const all: ColumnShape[] = [
    ...columns,
    { name: 'updated_at', type: 'date-time' },
    { name: 'updated_by', type: 'string' },
  ]
  const known = new Set((await tableColumns(session, name))?.map((column) => column.name))
  const table = quote(name)
  if (known.size > 0) {
    for (const column of all) {
      if (known.has(column.name)) continue
      await session.query(`alter table ${table} add column ${quote(column.name)} ${typeOf(column)}`)
    }
    return
  }
  const definitions = all.map((column) => `${quote(column.name)} ${typeOf(column)}`)
  const primary = ['company_id', ...key].map(quote).join(', ')
  await session.query(
    `create table ${table} (company_id ${TYPES.string}, ${definitions.join(', ')}, primary key (${primary}))`,
  )
  const isOwnCompany = `company_id = current_setting('tabularium.company', true)`
  await session.query(`alter table ${table} enable row level security`)
  await session.query(`alter table ${table} force row level security`)
  await session.query(`create policy own_company on ${table} using (${isOwnCompany}) with check (${isOwnCompany})`)
}

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
