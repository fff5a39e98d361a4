// The supplier of a ledger line, beside its customer. Lines from before have none.
import { type Kysely, sql } from 'kysely'
import type { SchemaSql } from '../dialects/schema.ts'

export async function up(db: Kysely<unknown>, { text, withoutTimeout }: SchemaSql): Promise<void> {
  const statements = [
    ...withoutTimeout,
    `alter table ledger_transaction add column supplier_id ${text}`,
    `create index ledger_supplier on ledger_transaction (company_id, state, supplier_id, transaction_number, sequence_number, period)
      where supplier_id <> ''`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
