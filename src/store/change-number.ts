// The number of the last change of a company: what a copy of its records is up to, and where its feed of changes goes
// on.
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
