// The progress of a file import, stored with the rows, so that an interrupted import resumes.

import type { ImportProgressTable } from '../service-tables.ts'
import { placeholdersFor, statement } from '../statement.ts'
import type { ReadTx, Tx } from '../store.ts'

type Source = { companyId: string; document: string; source: string }

const progress = statement<Source, Pick<ImportProgressTable, 'line'>>('find_import_progress', (db, p) =>
  db
    .selectFrom('import_progress')
    .select('line')
    .where('company_id', '=', p('companyId'))
    .where('document', '=', p('document'))
    .where('source', '=', p('source')),
)

/** The last imported line of the file, which its hash identifies; 0 when there is none. */
export async function findProgress(tx: ReadTx, document: string, source: string): Promise<number> {
  return (await tx.first(progress, { companyId: tx.companyId, document, source }))?.line ?? 0
}

const put = statement<Record<keyof ImportProgressTable, string | number>>('put_import_progress', (db, p) =>
  db
    .insertInto('import_progress')
    .values(placeholdersFor(p, ['company_id', 'document', 'source', 'line', 'updated_at', 'updated_by']))
    .onConflict((conflict) =>
      conflict.columns(['company_id', 'document', 'source']).doUpdateSet((eb) => ({
        line: eb.ref('excluded.line'),
        updated_at: eb.ref('excluded.updated_at'),
        updated_by: eb.ref('excluded.updated_by'),
      })),
    ),
)

export async function putProgress(tx: Tx, document: string, source: string, line: number): Promise<void> {
  tx.send(put, {
    company_id: tx.companyId,
    document,
    source,
    line,
    updated_at: tx.at,
    updated_by: tx.actor.userId,
  })
}
