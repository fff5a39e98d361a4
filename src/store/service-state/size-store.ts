// The stored bytes of a company: of its journal, and of the files of all revisions of its documents.

import type { JournalCounterTable } from '../../sql/service-tables.ts'
import { statement } from '../../sql/statement.ts'
import type { ReadTx, Tx } from '../store.ts'

type Sizes = Pick<JournalCounterTable, 'journal_bytes' | 'file_bytes'>

const find = statement<{ companyId: string }, Sizes>('find_sizes', (db, p) =>
  db.selectFrom('journal_counter').select(['journal_bytes', 'file_bytes']).where('company_id', '=', p('companyId')),
)

export async function findSizes(tx: ReadTx): Promise<Sizes> {
  return (await tx.first(find, { companyId: tx.companyId })) ?? { journal_bytes: 0, file_bytes: 0 }
}

const add = statement<{ companyId: string; bytes: number }>('add_file_bytes', (db, p) =>
  db
    .updateTable('journal_counter')
    .set((eb) => ({ file_bytes: eb('file_bytes', '+', p('bytes')) }))
    .where('company_id', '=', p('companyId')),
)

export function addFileBytes(tx: Tx, bytes: number): void {
  tx.send(add, { companyId: tx.companyId, bytes })
}
