// The number of the journal entry that inserted a row, for tables whose entries stand for a batch of rows: the ledger
// and the custom tables. Rows from before have 0. Changes up to the newest entry of such rows, or of an erasure, cannot
// be told.
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
  await run(`alter table journal_counter add column told_from ${schema.integer}`)
  const guarded = schema.rowLevelSecurity ? ['journal_counter', 'journal_entry', 'journal_origin'] : []
  for (const table of guarded) await run(`alter table ${table} no force row level security`)
  await run(TOLD_FROM)
  for (const table of guarded) await run(`alter table ${table} force row level security`)
}

/** Entries for batches of rows had such keys; ids of records with entries of their own may be alike. */
const TOLD_FROM = `update journal_counter set told_from = coalesce((
  select max(e.entry_no) from journal_entry e
    join journal_origin o on o.company_id = e.company_id and o.origin_no = e.origin_no
  where e.company_id = journal_counter.company_id
    and (o.operation = 'erase' and o.entity <> 'journal'
      or (e.record_key like '["import",%' or e.record_key = '["demo"]')
        and o.entity not in ('attribute-value', 'attribute-relation', 'customer', 'document', 'document-revision'))), 0)`
