// Converts amounts to exact decimals. A double that is not a decimal of the scale is not rounded: the migration fails
// without changes, and its message has the amount.
import type { Kysely } from 'kysely'
import type { SchemaSql } from '../dialects/schema.ts'

/** The scale and bound that the documents had when this migration was written. */
const SCALE = 4
const BOUND = '100000000000000'

const AMOUNTS = [
  ['ledger_transaction', 'amount'],
  ['ledger_transaction', 'currency_amount'],
  ['customer', 'credit_limit'],
] as const

export async function up(db: Kysely<unknown>, { toDecimals }: SchemaSql): Promise<void> {
  for (const [table, column] of AMOUNTS) await toDecimals(db, { table, column, scale: SCALE, bound: BOUND })
}
