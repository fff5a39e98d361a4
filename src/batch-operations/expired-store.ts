// The SQL of batch operations that have ended some time ago.
import { sql } from 'kysely'
import { asInteger, statement } from '../sql/statement.ts'
import type { ReadTx, StateTx } from '../store/store.ts'

type Ended = { companyId: string; before: string }

const files = statement<Ended, { operation_id: string; file_hash: string }>('list_old_batch_files', (db, p) =>
  db
    .selectFrom('batch_operation')
    .select(['operation_id', 'file_hash'])
    .where('company_id', '=', p('companyId'))
    .where('file_hash', '<>', sql.lit(''))
    .where('ended_at', '<>', sql.lit(''))
    .where('ended_at', '<', p('before')),
)

/** The bodies of operations that have ended before. */
export async function listOldFiles(tx: ReadTx, before: string): Promise<{ id: string; hash: string }[]> {
  const rows = await tx.all(files, { companyId: tx.companyId, before })
  return rows.map(({ operation_id, file_hash }) => ({ id: operation_id, hash: file_hash }))
}

const forgetFile = statement<{ companyId: string; id: string }>('forget_batch_file', (db, p) =>
  db
    .updateTable('batch_operation')
    .set({ file_hash: sql.lit('') })
    .where('company_id', '=', p('companyId'))
    .where('operation_id', '=', p('id')),
)

export function forgetFileOf(tx: StateTx, id: string): void {
  tx.send(forgetFile, { companyId: tx.companyId, id })
}

const expired = statement<Ended & { most: number }, { operation_id: string; document: string }>(
  'list_expired_batch_operations',
  (_db, p) => sql`select operation_id, document from batch_operation
    where company_id = ${p('companyId')} and ended_at <> '' and file_hash = ''
      and (ended_at < ${p('before')} or operation_no <= (select max(operation_no) - ${asInteger(p('most'))}
        from batch_operation newest where newest.company_id = ${p('companyId')}))`,
)

/** Operations without a body that have ended before, or are not among the newest. */
export function listExpired(
  tx: ReadTx,
  before: string,
  most: number,
): Promise<{ operation_id: string; document: string }[]> {
  return tx.all(expired, { companyId: tx.companyId, before, most })
}

const deleteOperation = statement<{ companyId: string; id: string }>('delete_batch_operation', (db, p) =>
  db.deleteFrom('batch_operation').where('company_id', '=', p('companyId')).where('operation_id', '=', p('id')),
)

const deleteResults = statement<{ companyId: string; id: string }>('delete_batch_operation_results', (db, p) =>
  db.deleteFrom('batch_operation_result').where('company_id', '=', p('companyId')).where('operation_id', '=', p('id')),
)

export function deleteExpired(tx: StateTx, id: string): void {
  tx.send(deleteResults, { companyId: tx.companyId, id })
  tx.send(deleteOperation, { companyId: tx.companyId, id })
}
