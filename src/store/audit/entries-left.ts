// What is left of entries of the change log, or would be left, when they lose something.
import { sql } from 'kysely'
import { journalFor, statement } from '../../sql/statement.ts'
import type { Tx } from '../store.ts'
import type { ErasureText, LeftMembers } from './erased-entry.ts'

/** What the entry that names emptied ones has to say of them. */
export interface ErasedEntries extends Pick<ErasureText, 'entries' | 'digest'> {
  readonly count: number
}

/** Entries by their numbers, as a JSON array of texts. */
export type Numbered = { companyId: string; entryNos: string }

const leftOf = statement<Numbered, LeftMembers>(
  'list_entries_to_erase',
  (_db, p, dialect) => sql`
    select entry_no, entity, record_key, operation, user_id, client_id, at, request_id, previous_hash, hash
    from ${journalFor(p, dialect)}
    where company_id = ${p('companyId')}
      and entry_no in (select cast(n.value as bigint) from ${dialect.textRows(p('entryNos'), 'n')})
    order by entry_no`,
)

/** What is left, or would be left, of entries, in the order of their numbers. */
export async function readLeft(tx: Tx, numbers: readonly number[]): Promise<LeftMembers[]> {
  const rows = await tx.all(leftOf, { companyId: tx.companyId, entryNos: numbersText(numbers) })
  return rows.map((row) => ({ ...row, entry_no: Number(row.entry_no) }))
}

export function numbersText(numbers: readonly number[]): string {
  return JSON.stringify(numbers.map(String))
}
