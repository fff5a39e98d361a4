// Reads the chains of the change log past the service: without its lock, without changing anything, also while it runs.
// Entries up to the end of a chain are never changed, so pages that are read one after the other belong together.
import { sql } from 'kysely'
import { type ChainHead, START } from './audit-chain.ts'
import { type SqlValue, type Statement, statement } from './statement.ts'
import type { JournalCounterTable, JournalEntryTable } from './tables.ts'

/** A database opened to be read alone, in one company at a time. */
export interface ReadOnlyDatabase {
  all<P extends Record<string, SqlValue>, Row>(
    companyId: string,
    statement: Statement<P, Row>,
    values: P,
  ): Promise<Row[]>
  close(): Promise<void>
}

/** The end of a chain, and the first entry that stands behind it: there must be none. */
export interface ChainEnd extends ChainHead {
  readonly firstBeyond: number | undefined
}

/** An entry may hold a body of 1 MiB, twice. */
const ENTRIES_AT_ONCE = 100

const companies = statement<Record<string, never>, { company_id: string }>('list_chained_companies', (db) =>
  db.selectFrom('setup_item').select('company_id').distinct().orderBy('company_id'),
)

/** Every company that was ever set up; the empty text is what belongs to none, such as roles and clients. */
export async function listChains(database: ReadOnlyDatabase): Promise<string[]> {
  return (await database.all('', companies, {})).map((row) => row.company_id)
}

type EndRow = Pick<JournalCounterTable, 'head_no' | 'head_hash' | 'entry_count'> & { first_beyond: number }

// One statement, so that a write in between is not taken for an entry behind the end.
const chainEnd = statement<{ companyId: string }, EndRow>('find_chain_end', (db, p) =>
  db
    .selectFrom('journal_counter')
    .select(['head_no', 'head_hash', 'entry_count'])
    .select((eb) =>
      eb
        .selectFrom('journal_entry')
        .select((inner) => inner.fn.coalesce(inner.fn.min('entry_no'), sql.lit(0)).as('no'))
        .where('journal_entry.company_id', '=', p('companyId'))
        .whereRef('journal_entry.entry_no', '>', 'journal_counter.head_no')
        .as('first_beyond'),
    )
    .where('journal_counter.company_id', '=', p('companyId')),
)

export async function findChainEnd(database: ReadOnlyDatabase, companyId: string): Promise<ChainEnd> {
  const [row] = await database.all(companyId, chainEnd, { companyId })
  if (row) {
    // As PostgreSQL's driver reads them when it is not told otherwise, large integers are texts.
    const [entryNo, count, firstBeyond] = [row.head_no, row.entry_count, row.first_beyond].map(Number) as [
      number,
      number,
      number,
    ]
    return { entryNo, hash: row.head_hash, count, firstBeyond: firstBeyond || undefined }
  }
  const [first] = await pageOf(database, companyId, 0, Number.MAX_SAFE_INTEGER)
  return { entryNo: 0, hash: START, count: 0, firstBeyond: first?.entry_no }
}

const entriesAfter = statement<{ companyId: string; after: number; upTo: number }, JournalEntryTable>(
  'list_chain_entries',
  (db, p) =>
    db
      .selectFrom('journal_entry')
      .selectAll()
      .where('company_id', '=', p('companyId'))
      .where('entry_no', '>', p('after'))
      .where('entry_no', '<=', p('upTo'))
      .orderBy('entry_no')
      .limit(sql.lit(ENTRIES_AT_ONCE)),
)

async function pageOf(database: ReadOnlyDatabase, companyId: string, after: number, upTo: number) {
  const rows = await database.all(companyId, entriesAfter, { companyId, after, upTo })
  return rows.map((row) => ({ ...row, entry_no: Number(row.entry_no) }))
}

/** The entries of a company up to a number, some at a time. */
export async function* readChain(
  database: ReadOnlyDatabase,
  companyId: string,
  upTo: number,
): AsyncGenerator<readonly JournalEntryTable[]> {
  let after = 0
  for (;;) {
    const page = await pageOf(database, companyId, after, upTo)
    const last = page.at(-1)
    if (!last) return
    yield page
    after = last.entry_no
  }
}
