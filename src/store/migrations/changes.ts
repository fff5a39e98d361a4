// The number of the journal entry that inserted a row, for tables whose entries stand for a batch of rows: the ledger
// and the custom tables. Rows from before have 0.
import { type Kysely, sql } from 'kysely'
import { changeColumn, changeIndex, type SchemaSql } from '../dialects/schema.ts'

const LEDGER = { name: 'ledger_transaction', key: ['transaction_number', 'sequence_number'] }

export async function up(db: Kysely<unknown>, schema: SchemaSql): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  for (const statement of schema.withoutTimeout) await run(statement)
  for (const table of [LEDGER, ...(await schema.customTables(db))]) {
    await run(changeColumn(table.name, schema))
    await run(changeIndex(table.name, table.key))
  }
}
