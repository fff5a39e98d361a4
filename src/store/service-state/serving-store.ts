// The processes that serve a store, each with the version of the setup that is in force in it, so that a setup can wait
// until all of them have it. They belong to no company.
import type { ServingProcessTable } from '../../sql/service-tables.ts'
import { statement, upsertStatement } from '../../sql/statement.ts'
import type { Store } from '../store.ts'

const put = upsertStatement<ServingProcessTable>('put_serving_process', 'serving_process', {
  key: ['process_id'],
  kept: ['host', 'pid'],
  changed: ['setup_version', 'seen_at'],
})

const list = statement<Record<string, never>, ServingProcessTable>('list_serving_processes', (db) =>
  db.selectFrom('serving_process').selectAll().orderBy('process_id'),
)

const remove = statement<{ processId: string }>('remove_serving_process', (db, p) =>
  db.deleteFrom('serving_process').where('process_id', '=', p('processId')),
)

export async function putServingProcess(store: Store, row: ServingProcessTable): Promise<void> {
  await store.upsertCounters(put, { ...row })
}

export function listServingProcesses(store: Store): Promise<ServingProcessTable[]> {
  return store.reading('').all(list, {})
}

export async function removeServingProcess(store: Store, processId: string): Promise<void> {
  await store.upsertCounters(remove, { processId })
}
