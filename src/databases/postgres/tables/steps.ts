// The statements that distribute each table. Those of one table run in one transaction: it is moved, or it is not.
import { quote, textLiteral } from '../../../sql/dialect.ts'
import type { PlacedTable } from './placed-tables.ts'
import { FIRST_TABLE, type Placement } from './placement.ts'

const CALLS: Readonly<Record<Placement, (table: string) => string>> = {
  company: (table) => `select create_distributed_table(${table}, 'company_id', colocate_with => '${FIRST_TABLE}')`,
  everywhere: (table) => `select create_reference_table(${table})`,
  coordinator: (table) => `select citus_add_local_table_to_metadata(${table})`,
}

/** The owner counts and copies all rows, so row-level security must not apply to it. */
export function freeOwner({ name, isForced }: Pick<PlacedTable, 'name' | 'isForced'>): string[] {
  return isForced ? [`alter table ${quote(name)} no force row level security`] : []
}

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
