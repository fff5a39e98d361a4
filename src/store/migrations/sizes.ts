// The permanently stored bytes of each company, counted as they are written, because summing them up would read
// everything; and the index to find the dictionary of a record.
import { type Kysely, sql } from 'kysely'
import type { SchemaSql } from '../dialects/schema.ts'
import { ENTRY_BYTES } from '../journal/journal-rows.ts'

const READ = ['journal_counter', 'journal_entry', 'journal_dictionary', 'document_revision']

export async function up(db: Kysely<unknown>, { integer, rowLevelSecurity, withoutTimeout }: SchemaSql): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  for (const statement of withoutTimeout) await run(statement)
  for (const name of ['journal_bytes', 'file_bytes'])
    await run(`alter table journal_counter add column ${name} ${integer}`)
  const guarded = rowLevelSecurity ? READ : []
  for (const table of guarded) await run(`alter table ${table} no force row level security`)
  await run(`update journal_counter set
    journal_bytes = coalesce((select sum(length(e.before) + length(e.after) + length(e.record_key) + length(e.request_id) + ${ENTRY_BYTES})
      from journal_entry e where e.company_id = journal_counter.company_id), 0)
      + coalesce((select sum(length(d.bytes)) from journal_dictionary d where d.company_id = journal_counter.company_id), 0),
    file_bytes = coalesce((select sum(r.doc_size) from document_revision r where r.company_id = journal_counter.company_id), 0)`)
  await run('create index journal_dictionary_entity on journal_dictionary (company_id, entity, dictionary_no)')
  for (const table of guarded) await run(`alter table ${table} force row level security`)
}
