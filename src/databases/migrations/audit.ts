// The hash chain of the change log. Existing entries are chained in the order of their numbers, in pages of bounded
// memory.
import { type Kysely, sql } from 'kysely'
import type { SchemaSql } from '../../sql/schema.ts'
import type { AuditEntryView, JournalCounterTable } from '../../sql/service-tables.ts'
import { type ChainHead, type EntryMembers, hashOf } from '../../store/chain/audit-chain.ts'

/** An entry may hold a body of 1 MiB, twice. */
const ENTRIES_AT_ONCE = 100

interface ChainedTables {
  journal_counter: JournalCounterTable
  journal_entry: AuditEntryView
}

export async function up(db: Kysely<unknown>, { text, integer, rowLevelSecurity }: SchemaSql): Promise<void> {
  const statements = [
    ...['previous_hash', 'hash'].map((name) => `alter table journal_entry add column ${name} ${text}`),
    ...[`head_no ${integer}`, `head_hash ${text}`, `entry_count ${integer}`].map(
      (column) => `alter table journal_counter add column ${column}`,
    ),
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
  const guarded = rowLevelSecurity ? ['journal_counter', 'journal_entry'] : []
  for (const table of guarded) await sql.raw(`alter table ${table} no force row level security`).execute(db)
  await chainAll(db as Kysely<ChainedTables>)
  for (const table of guarded) await sql.raw(`alter table ${table} force row level security`).execute(db)
  // A running server of an older version must not add unchained entries.
  if (rowLevelSecurity) await sql`alter table journal_entry alter column hash drop default`.execute(db)
}

async function chainAll(db: Kysely<ChainedTables>): Promise<void> {
  const companies = await db
    .selectFrom('journal_counter')
    .select(['company_id', 'head_no', 'head_hash', 'entry_count'])
    .orderBy('company_id')
    .execute()
  for (const company of companies) {
    let head: ChainHead | undefined = {
      entryNo: company.head_no,
      hash: company.head_hash,
      count: company.entry_count,
    }
    while (head) head = await chainNext(db, company.company_id, head)
  }
}

/** Chains the next entries after the end of the chain. Returns the new end, or undefined when there were none. */
async function chainNext(
  db: Kysely<ChainedTables>,
  companyId: string,
  from: ChainHead,
): Promise<ChainHead | undefined> {
  const entries = await db
    .selectFrom('journal_entry')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('entry_no', '>', from.entryNo)
    .orderBy('entry_no')
    .limit(ENTRIES_AT_ONCE)
    .execute()
  if (entries.length === 0) return undefined
  let head = from
  for (const entry of entries) head = await chainOne(db, head, entry)
  await db
    .updateTable('journal_counter')
    .set({ head_no: head.entryNo, head_hash: head.hash, entry_count: head.count })
    .where('company_id', '=', companyId)
    .execute()
  return head
}

async function chainOne(db: Kysely<ChainedTables>, head: ChainHead, entry: EntryMembers): Promise<ChainHead> {
  const hash = hashOf(head.hash, entry)
  await db
    .updateTable('journal_entry')
    .set({ previous_hash: head.hash, hash })
    .where('company_id', '=', entry.company_id)
    .where('entry_no', '=', entry.entry_no)
    .execute()
  return { entryNo: entry.entry_no, hash, count: head.count + 1 }
}
