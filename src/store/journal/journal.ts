// The change log: one entry for every record that a write changes, in the write's own transaction. Numbers grow in
// commit order within a company, because a write takes its number by locking the company's counter first; in this order
// each entry carries the hash of the one before it (audit-chain.ts).
import { sql } from 'kysely'
import { statement } from '../statement.ts'
import type { ReadTx, Tx } from '../store.ts'
import type { AuditEntryView, JournalCounterTable } from '../tables.ts'
import { type ChainHead, START } from './audit-chain.ts'
import { insertEntry } from './journal-rows.ts'
import { DAMAGED } from './packed-entry.ts'

interface Change {
  readonly entity: string
  /** The parts of the record's key below the company. */
  readonly key: readonly (string | number)[]
  readonly operation: AuditEntryView['operation']
  /** The record as JSON text; empty where there is none. */
  readonly before: string
  readonly after: string
}

type CounterRow = Omit<JournalCounterTable, 'company_id' | 'file_bytes'>

/**
 * The next entry number of a company and the end of its chain; taking it locks the company for other writes until the
 * commit.
 */
export const takeNumber = statement<{ companyId: string }, CounterRow>('take_entry_number', (db, p) =>
  db
    .updateTable('journal_counter')
    .set((eb) => ({ last_entry: eb('last_entry', '+', sql.lit(1)) }))
    .where('company_id', '=', p('companyId'))
    .returning(['last_entry', 'head_no', 'head_hash', 'entry_count', 'journal_bytes']),
)

export function requireCounter(row: CounterRow | undefined, companyId: string): CounterRow {
  if (!row) throw new Error(`company ${companyId} has no journal counter`)
  return row
}

export function headOf({ head_no, head_hash, entry_count }: CounterRow): ChainHead {
  return { entryNo: head_no, hash: head_hash, count: entry_count }
}

/** For a store whose writer is alone. */
export const readCounter = statement<{ companyId: string }, CounterRow>('read_entry_counter', (db, p) =>
  db
    .selectFrom('journal_counter')
    .select(['last_entry', 'head_no', 'head_hash', 'entry_count', 'journal_bytes'])
    .where('company_id', '=', p('companyId')),
)

export const writeCounter = statement<
  { companyId: string; lastEntry: number; journalBytes: number; entryNo: number; hash: string; count: number },
  never
>('write_entry_counter', (db, p) =>
  db
    .updateTable('journal_counter')
    .set({
      last_entry: p('lastEntry'),
      head_no: p('entryNo'),
      head_hash: p('hash'),
      entry_count: p('count'),
      journal_bytes: p('journalBytes'),
    })
    .where('company_id', '=', p('companyId')),
)

export const startCounter = statement<{ companyId: string }>('start_entry_counter', (db, p) =>
  db
    .insertInto('journal_counter')
    .values({
      company_id: p('companyId'),
      last_entry: sql.lit(0),
      head_no: sql.lit(0),
      head_hash: sql.lit(START),
      entry_count: sql.lit(0),
      journal_bytes: sql.lit(0),
      file_bytes: sql.lit(0),
    })
    .onConflict((conflict) => conflict.doNothing()),
)

/**
 * Adds the entry to the journal, under the number that the transaction has taken for it; it is written when the write
 * ends.
 */
export async function writeEntry(tx: Tx, change: Change, by: Pick<Tx, 'actor' | 'at'> = tx): Promise<void> {
  tx.entries.add({
    company_id: tx.companyId,
    entry_no: tx.entryNo,
    entity: change.entity,
    record_key: recordKey(change.key),
    operation: change.operation,
    user_id: by.actor.userId,
    client_id: by.actor.clientId,
    at: by.at,
    request_id: by.actor.requestId,
    before: change.before,
    after: change.after,
  })
}

/**
 * Chains what a write has added to the journal to what was there, and writes it. A write of many records does so now
 * and then; numbers that it has taken and not used yet must be higher.
 */
export async function writeEntries(tx: Tx): Promise<void> {
  const added = tx.entries.chain()
  if (!added) return
  for (const entry of added.entries) tx.entries.journalBytes += await insertEntry(tx, entry)
  tx.moveHead(added.head)
}

/** Runs a write, then writes what it has added to the journal. */
export async function withJournal<T>(tx: Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  const result = await work(tx)
  tx.entries.end()
  await writeEntries(tx)
  return result
}

/** As `withJournal`, over several companies: what one has added is written before the next is begun. */
export async function withJournals<T>(
  begin: (companyId: string) => Promise<Tx>,
  work: (beginIn: (companyId: string) => Promise<Tx>) => Promise<T>,
): Promise<T> {
  let current: Tx | undefined
  const end = async () => {
    current?.entries.end()
    if (current) await writeEntries(current)
    current = undefined
  }
  const result = await work(async (companyId) => {
    await end()
    current = await begin(companyId)
    return current
  })
  await end()
  return result
}

export function recordKey(parts: readonly (string | number)[]): string {
  return JSON.stringify(parts)
}

const entriesSince = statement<
  { companyId: string; entity: string; from: string; below: string; entryNo: number },
  Pick<AuditEntryView, 'user_id' | 'at' | 'before' | 'after'>
>('journal_entries_since', (db, p) =>
  db
    .selectFrom('audit_entry')
    .select(['user_id', 'at', 'before', 'after'])
    .where('company_id', '=', p('companyId'))
    .where('entity', '=', p('entity'))
    .where('record_key', '>=', p('from'))
    .where('record_key', '<', p('below'))
    .where('entry_no', '>', p('entryNo'))
    .orderBy('entry_no')
    .limit(sql.lit(20)),
)

/** The records whose keys begin with these parts. */
export interface KeyRange {
  readonly entity: string
  readonly firstParts: readonly (string | number)[]
}

/** Who changed which members of some records after an entry, in words; at most twenty changes. */
export async function describeChangesSince(tx: ReadTx, range: KeyRange, entryNo: number): Promise<string[]> {
  // A whole key ends in a bracket and a longer one goes on with a comma, which is the lesser character.
  const from = recordKey(range.firstParts).slice(0, -1)
  const values = { companyId: tx.companyId, entity: range.entity, from: `${from},`, below: `${from}^`, entryNo }
  const entries = await tx.all(entriesSince, values)
  return entries.map(
    (entry) => `${entry.user_id} changed ${changedMembers(entry.before, entry.after).join(', ')} at ${entry.at}`,
  )
}

/** The top-level members whose values differ between two records. */
function changedMembers(before: string, after: string): string[] {
  const [old, now] = [before, after].map(membersOf)
  const names = new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])
  return [...names].filter((name) => JSON.stringify(old?.[name]) !== JSON.stringify(now?.[name]))
}

function membersOf(text: string): Record<string, unknown> {
  return text === '' || text === DAMAGED ? {} : JSON.parse(text)
}
