// The progress of a file import, stored with the rows, so that an interrupted import resumes.

import type { ImportProgressTable } from '../../sql/service-tables.ts'
import { statement, upsertStatement, whereEqual } from '../../sql/statement.ts'
import type { ReadTx, StateTx, Tx } from '../store.ts'

type Source = { companyId: string; document: string; source: string }

const progress = statement<Source, Pick<ImportProgressTable, 'line'>>('find_import_progress', (db, p) =>
  db
    .selectFrom('import_progress')
    .select('line')
    .$call(whereEqual(p, 'companyId', 'document', 'source')),
)

/** The last imported line of the file, which its hash identifies; 0 when there is none. */
export async function findProgress(tx: ReadTx, document: string, source: string): Promise<number> {
  return (await tx.first(progress, { companyId: tx.companyId, document, source }))?.line ?? 0
}

const put = upsertStatement<ImportProgressTable>('put_import_progress', 'import_progress', {
  key: ['company_id', 'document', 'source'],
  changed: ['line', 'updated_at', 'updated_by'],
})

export function putProgress(tx: Tx, document: string, source: string, line: number): void {
  tx.send(put, {
    company_id: tx.companyId,
    document,
    source,
    line,
    updated_at: tx.at,
    updated_by: tx.actor.userId,
  })
}

const rows = statement<Source, { line: number }>('list_imported_rows', (db, p) =>
  db
    .selectFrom('import_row')
    .select(['line'])
    .$call(whereEqual(p, 'companyId', 'document', 'source')),
)

/** The lines of the rows that were written one by one since the last part was completed. */
export async function listImportedRows(tx: ReadTx, document: string, source: string): Promise<number[]> {
  return (await tx.all(rows, { companyId: tx.companyId, document, source })).map(({ line }) => Number(line))
}

const putRow = statement<Source & { line: number }>('put_imported_row', (db, p) =>
  db
    .insertInto('import_row')
    .values({ company_id: p('companyId'), document: p('document'), source: p('source'), line: p('line') })
    .onConflict((conflict) => conflict.columns(['company_id', 'document', 'source', 'line']).doNothing()),
)

/** Notes in the write of a row that it is done. */
export function putImportedRow(tx: StateTx, document: string, source: string, line: number): void {
  tx.send(putRow, { companyId: tx.companyId, document, source, line })
}

const forgetRows = statement<Source>('forget_imported_rows', (db, p) =>
  db.deleteFrom('import_row').$call(whereEqual(p, 'companyId', 'document', 'source')),
)

/** Forgets the rows of a part that is completed. */
export function forgetImportedRows(tx: StateTx, document: string, source: string): void {
  tx.send(forgetRows, { companyId: tx.companyId, document, source })
}
