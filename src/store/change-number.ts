// The number of the last change of a company, now or before a time: what a copy of its records is up to, and where its
// feed of changes goes on.
import { sql } from 'kysely'
import { statement } from '../sql/statement.ts'
import type { ReadTx } from './store.ts'

export const readChangeNumber = statement<{ companyId: string }, { last_entry: number }>(
  'read_change_number',
  (db, p) => db.selectFrom('journal_counter').select('last_entry').where('company_id', '=', p('companyId')),
)

/** The number of the last change that is committed; 0 for a company without any. */
export async function lastChangeNumber(tx: ReadTx): Promise<number> {
  const row = await tx.first(readChangeNumber, { companyId: tx.companyId })
  return row?.last_entry ?? 0
}

const firstFrom = statement<{ companyId: string; entryNo: number }, { entry_no: number; at: number }>(
  'find_entry_from',
  (db, p) =>
    db
      .selectFrom('journal_entry')
      .select(['entry_no', 'at'])
      .where('company_id', '=', p('companyId'))
      .where('entry_no', '>=', p('entryNo'))
      .orderBy('entry_no')
      .limit(sql.lit(1)),
)

/**
 * The number of the last change that was made before a time (milliseconds since 1970); 0 if none was. Numbers grow in
 * the order of commits, and times with them: the number is found by halving, with one row read at each step. Where a
 * clock was set back, a time was there twice, and either is found; a time after the newest change finds that.
 */
export async function numberBefore(tx: ReadTx, at: number): Promise<number> {
  const last = await lastChangeNumber(tx)
  const entryFrom = (entryNo: number) => tx.first(firstFrom, { companyId: tx.companyId, entryNo })
  const newest = await entryFrom(last)
  if (newest && newest.at < at) return last
  // The entries up to `before` are older; the first after `until` is not.
  let [before, until] = [0, last]
  while (before < until) {
    const middle = before + Math.floor((until - before) / 2)
    const entry = await entryFrom(middle + 1)
    if (entry && entry.entry_no <= until && entry.at < at) before = entry.entry_no
    else until = middle
  }
  return before
}
