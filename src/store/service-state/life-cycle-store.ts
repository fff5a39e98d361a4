// What was purged and erased of a company, for metrics, and its state of both.
import { sql } from 'kysely'
import type { JournalCounterTable } from '../../sql/service-tables.ts'
import { statement } from '../../sql/statement.ts'
import { ENTRIES_AT_ONCE } from '../audit/erase-entries.ts'
import type { ReadTx, Tx } from '../store.ts'

type LifeCycle = Pick<JournalCounterTable, 'purged_at' | 'purged_count' | 'erased_at' | 'erased_count' | 'texts_from'>

const find = statement<{ companyId: string }, LifeCycle>('find_life_cycle', (db, p) =>
  db
    .selectFrom('journal_counter')
    .select(['purged_at', 'purged_count', 'erased_at', 'erased_count', 'texts_from'])
    .where('company_id', '=', p('companyId')),
)

export async function findLifeCycle(tx: ReadTx): Promise<LifeCycle | undefined> {
  const row = await tx.first(find, { companyId: tx.companyId })
  return row && { ...row, texts_from: Number(row.texts_from) }
}

const addPurged = statement<{ companyId: string; at: string; records: number }>('count_purged', (db, p) =>
  db
    .updateTable('journal_counter')
    .set((eb) => ({ purged_at: p('at'), purged_count: eb('purged_count', '+', p('records')) }))
    .where('company_id', '=', p('companyId')),
)

export function countPurged(tx: Tx, records: number): void {
  tx.send(addPurged, { companyId: tx.companyId, at: tx.at, records })
}

const oldestAt = statement<{ companyId: string; after: number }, { at: number }>('find_oldest_entry', (db, p) =>
  db
    .selectFrom('journal_entry')
    .select('at')
    .where('company_id', '=', p('companyId'))
    .where('entry_no', '>', p('after'))
    .orderBy('entry_no')
    .limit(sql.lit(1)),
)

/** When the oldest entry was written whose texts are kept, in milliseconds since 1970; undefined when there is none. */
export async function findOldestEntry(tx: ReadTx, textsFrom: number): Promise<number | undefined> {
  const row = await tx.first(oldestAt, { companyId: tx.companyId, after: textsFrom })
  return row && Number(row.at)
}

const addErased = statement<{ companyId: string; at: string; entryNo: number }>('count_erased', (db, p) =>
  db
    .updateTable('journal_counter')
    .set((eb) => ({
      erased_at: p('at'),
      erased_count: eb('erased_count', '+', sql.lit(1)),
      told_from: p('entryNo'),
    }))
    .where('company_id', '=', p('companyId')),
)

/** Counts an erasure, whose entry is that of the transaction. */
export function countErased(tx: Tx): void {
  tx.send(addErased, { companyId: tx.companyId, at: tx.at, entryNo: tx.entryNo })
}

const chainHead = statement<{ companyId: string }, { head_no: number }>('find_chain_head', (db, p) =>
  db.selectFrom('journal_counter').select('head_no').where('company_id', '=', p('companyId')),
)

/** The number of the company's last entry; 0 when there is none. */
export async function findChainHead(tx: ReadTx): Promise<number> {
  return Number((await tx.first(chainHead, { companyId: tx.companyId }))?.head_no ?? 0)
}

const moveTexts = statement<{ companyId: string; entryNo: number }>('move_texts_from', (db, p) =>
  db
    .updateTable('journal_counter')
    .set({ texts_from: p('entryNo') })
    .where('company_id', '=', p('companyId'))
    .where('texts_from', '<', p('entryNo')),
)

/** Notes the last entry whose texts were taken away because of its age. */
export function moveTextsFrom(tx: Tx, entryNo: number): void {
  tx.send(moveTexts, { companyId: tx.companyId, entryNo })
}

/** An entry and when it was written, in milliseconds since 1970. */
interface DatedEntry {
  readonly entry_no: number
  readonly at: number
}

const next = statement<{ companyId: string; after: number }, DatedEntry>('list_next_entries', (db, p) =>
  db
    .selectFrom('journal_entry')
    .select(['entry_no', 'at'])
    .where('company_id', '=', p('companyId'))
    .where('entry_no', '>', p('after'))
    .orderBy('entry_no')
    .limit(sql.lit(ENTRIES_AT_ONCE)),
)

/** The next entries after a number. */
export async function findNextEntries(tx: ReadTx, after: number): Promise<DatedEntry[]> {
  const rows = await tx.all(next, { companyId: tx.companyId, after })
  return rows.map(({ entry_no, at }) => ({ entry_no: Number(entry_no), at: Number(at) }))
}
