// The tables of a database, each with its place and whether it is there already.

import { quote, textLiteral } from '../../../sql/dialect.ts'
import {
  distributedIds,
  FIRST_TABLE,
  isDistributed,
  MIGRATION_TABLES,
  type Placement,
  placementOf,
} from './placement.ts'
import { type CopySession, findTables } from './table-file.ts'

export interface PlacedTable {
  readonly name: string
  readonly placement: Placement
  /** Whether row-level security applies to its owner too. */
  readonly isForced: boolean
  readonly isDone: boolean
}

const STATE = `
  select c.relname as "name", c.relforcerowsecurity as "isForced", c.oid = any($2::oid[]) as "isDone"
  from pg_class c where c.relname = any($1) and c.relkind = 'r' and pg_table_is_visible(c.oid)`

/** All tables in the order in which they are distributed. */
export async function findPlacedTables(session: CopySession): Promise<PlacedTable[]> {
  const names = [...(await findTables(session)).map(({ name }) => name), ...MIGRATION_TABLES]
  const done = await distributedIds(session)
  const { rows } = await session.query<Omit<PlacedTable, 'placement'>>(STATE, [names, done])
  const placed = rows.map((row) => ({ ...row, placement: placementOf(row.name) }))
  const rank = ({ name }: PlacedTable) => (name === FIRST_TABLE ? '' : name)
  return placed.sort((one, other) => (rank(one) < rank(other) ? -1 : 1))
}

/** Throws when some tables are distributed and others are not: statements over both would fail. */
export async function requireWhole(session: CopySession): Promise<void> {
  if (!(await isDistributed(session))) return
  const missing = (await findPlacedTables(session)).filter(({ isDone }) => !isDone).map(({ name }) => name)
  if (missing.length === 0) return
  throw new Error(
    `the database is distributed in part (not ${missing.join(', ')}): run \`tabularium distribute\` again`,
  )
}

const CALLS: Readonly<Record<Placement, (table: string) => string>> = {
  company: (table) => `select create_distributed_table(${table}, 'company_id', colocate_with => '${FIRST_TABLE}')`,
  everywhere: (table) => `select create_reference_table(${table})`,
  coordinator: (table) => `select citus_add_local_table_to_metadata(${table})`,
}

/** The owner counts and copies all rows, so row-level security must not apply to it. */
export function freeOwner({ name, isForced }: Pick<PlacedTable, 'name' | 'isForced'>): string[] {
  return isForced ? [`alter table ${quote(name)} no force row level security`] : []
}

/** All of them in one transaction: the table is moved, or it is not. */
export function moveTable({ name, placement }: Pick<PlacedTable, 'name' | 'placement'>): string[] {
  const table = textLiteral(quote(name))
  return [
    ...(name === FIRST_TABLE
      ? [`select create_distributed_table(${table}, 'company_id', colocate_with => 'none')`]
      : [CALLS[placement](table)]),
    // What was copied stays on the coordinator otherwise.
    ...(placement === 'coordinator' ? [] : [`select truncate_local_data_after_distributing_table(${table})`]),
  ]
}
