// Reads the hash chains of the change log without the service: takes no lock, changes nothing, and also works while it
// runs. Entries up to the end of a chain never change, so pages read one after the other are consistent.

import { sql } from 'kysely'
import type { Bindable, Dialect } from '../../sql/dialect.ts'
import type { BoundText } from '../../sql/rows/compiled-query.ts'
import type { JournalCounterTable, JournalDictionaryTable } from '../../sql/service-tables.ts'
import { type Statement, statement } from '../../sql/statement.ts'
import { type ChainHead, type LinkedEntry, START } from '../chain/audit-chain.ts'
import { type PackedEntry, unpackEntry } from '../chain/packed-entry.ts'
import type { TableColumn } from '../store.ts'
import { erasures } from './erase-entries.ts'

/** A database opened read-only, for one company at a time. */
export interface ReadOnlyDatabase extends AsyncDisposable {
  all<P extends Record<string, Bindable>, Row>(
    companyId: string,
    statement: Statement<P, Row>,
    values: P,
  ): Promise<Row[]>
  readonly dialect: Dialect
  /** The names of the existing indexes of a setup. */
  setupIndexes(): Promise<ReadonlySet<string>>
  /** As `Store.columnsOf`. */
  columnsOf(table: string): Promise<readonly TableColumn[] | undefined>
  /** The query plan of the database, one line per step. The query is not run. */
  explain(companyId: string, query: BoundText): Promise<string[]>
}

/** The end of a chain, and the first entry after it, which must not exist. */
export interface ChainEnd extends ChainHead {
  readonly firstBeyond: number | undefined
}

/** An entry may hold a body of 1 MiB, twice. */
const ENTRIES_AT_ONCE = 100

const companies = statement<Record<string, never>, { company_id: string }>('list_chained_companies', (db) =>
  db.selectFrom('setup_item').select('company_id').distinct().orderBy('company_id'),
)

/**
 * Every company that was ever set up; the empty text stands for what belongs to no company, such as roles and clients.
 */
export async function listChains(database: ReadOnlyDatabase): Promise<string[]> {
  return (await database.all('', companies, {})).map((row) => row.company_id)
}

type EndRow = Pick<JournalCounterTable, 'head_no' | 'head_hash' | 'entry_count'> & { first_beyond: number }

// A single statement, so that a concurrent write is not mistaken for an entry after the end.
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
    // The PostgreSQL driver returns large integers as texts by default.
    const [entryNo, count, firstBeyond] = [row.head_no, row.entry_count, row.first_beyond].map(Number) as [
      number,
      number,
      number,
    ]
    return { entryNo, hash: row.head_hash, count, firstBeyond: firstBeyond || undefined }
  }
  const [first] = await database.all(companyId, entriesAfter, { companyId, after: 0, upTo: Number.MAX_SAFE_INTEGER })
  return { entryNo: 0, hash: START, count: 0, firstBeyond: first && Number(first.entry_no) }
}

const entriesAfter = statement<{ companyId: string; after: number; upTo: number }, PackedEntry>(
  'list_chain_entries',
  (db, p) =>
    db
      .selectFrom('journal_entry')
      .leftJoin('journal_origin', (join) =>
        join
          .on('journal_origin.company_id', '=', p('companyId'))
          .onRef('journal_origin.origin_no', '=', 'journal_entry.origin_no'),
      )
      .selectAll('journal_entry')
      .select(['entity', 'operation', 'user_id', 'client_id'])
      .where('journal_entry.company_id', '=', p('companyId'))
      .where('journal_entry.entry_no', '>', p('after'))
      .where('journal_entry.entry_no', '<=', p('upTo'))
      .orderBy('journal_entry.entry_no')
      .limit(sql.lit(ENTRIES_AT_ONCE)),
)

/** The dictionaries of some entries. A company may have one for each long record. */
const dictionaries = statement<
  { companyId: string; after: number; upTo: number },
  Pick<JournalDictionaryTable, 'dictionary_no' | 'bytes'>
>('list_journal_dictionaries', (db, p) =>
  db
    .selectFrom('journal_dictionary')
    .select(['dictionary_no', 'bytes'])
    .where('company_id', '=', p('companyId'))
    .where('dictionary_no', 'in', (inner) =>
      inner
        .selectFrom('journal_entry')
        .select('journal_entry.dictionary_no')
        .where('journal_entry.company_id', '=', p('companyId'))
        .where('journal_entry.entry_no', '>', p('after'))
        .where('journal_entry.entry_no', '<=', p('upTo')),
    ),
)

type ReadAll = <P extends Record<string, Bindable>, Row>(statement: Statement<P, Row>, values: P) => Promise<Row[]>

/** Yields the entries of a company up to a number, in pages. */
export function readChain(
  database: ReadOnlyDatabase,
  companyId: string,
  upTo: number,
): AsyncGenerator<readonly LinkedEntry[]> {
  return readEntries((declared, values) => database.all(companyId, declared, values), companyId, 0, upTo)
}

/** An entry and its dictionary are read one after the other, and an erasure in between may replace both. */
const TRIES = 3

/** Yields the entries of a company between two numbers, in pages. */
export async function* readEntries(
  all: ReadAll,
  companyId: string,
  from: number,
  upTo: number,
): AsyncGenerator<readonly LinkedEntry[]> {
  let known = new Map<number, Uint8Array>()
  for (let after = from; ; ) {
    let page = await all(entriesAfter, { companyId, after, upTo })
    const last = page.at(-1)
    if (!last) return
    const isEmpty = ({ before, after }: PackedEntry) => before.length + after.length === 0
    const hasDictionary = ({ dictionary_no: no }: PackedEntry) => (known.get(Number(no))?.length ?? 0) > 0
    const isReadable = () => page.every((entry) => isEmpty(entry) || hasDictionary(entry))
    for (let tries = 0; tries < TRIES && !isReadable(); tries++) {
      if (tries > 0) page = await all(entriesAfter, { companyId, after, upTo })
      const rows = await all(dictionaries, { companyId, after, upTo: Number(last.entry_no) })
      known = new Map(rows.map(({ dictionary_no, bytes }) => [Number(dictionary_no), bytes]))
    }
    yield page.map((entry) => unpackEntry(entry, known.get(Number(entry.dictionary_no)) ?? NO_DICTIONARY))
    after = Number(last.entry_no)
  }
}

const NO_DICTIONARY = new Uint8Array()

/** The entries that name erased ones. To be read after the end of the chain: then none up to it is missing. */
export async function findErasures(
  database: ReadOnlyDatabase,
  companyId: string,
): Promise<{ readonly entry_no: number; readonly after: string }[]> {
  const rows = await database.all(companyId, erasures, { companyId })
  return rows.map(({ entry_no, after }) => ({ entry_no: Number(entry_no), after }))
}
