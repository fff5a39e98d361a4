// Writes the items of a setup that have changed, each with its entry in the change log.
import { writeEntry } from '../../store/journal/journal.ts'
import { deleteSetupItem, putSetupItem } from '../../store/service-state/setup-store.ts'
import type { Tx } from '../../store/store.ts'
import type { SetupItem } from '../items/setup-item.ts'
import type { Webhooks } from '../rules/webhooks.ts'
import type { Change } from './compare-setup.ts'

/** What is new or changed of the company of the transaction; '' stands for what belongs to none. */
export async function saveItems(tx: Tx, changes: readonly Change[]): Promise<void> {
  for (const { kind, item, before } of changes) {
    if ((kind !== 'created' && kind !== 'changed') || item.companyId !== tx.companyId) continue
    const definition = JSON.stringify(item.definition)
    await putSetupItem(tx, { company_id: item.companyId, kind: item.kind, id: item.id, definition })
    writeEntry(tx.nextEntry(), {
      entity: `setup-${item.kind}`,
      key: [item.id],
      operation: before ? 'update' : 'create',
      before: before ? definitionForJournal(before) : '',
      after: definitionForJournal(item),
    })
  }
}

export async function removeItem(tx: Tx, item: SetupItem, webhooks: Webhooks): Promise<void> {
  if (item.kind === 'subscription') await webhooks.remove(tx, item.id)
  await deleteSetupItem(tx, item.kind, item.id)
  writeEntry(tx.nextEntry(), {
    entity: `setup-${item.kind}`,
    key: [item.id],
    operation: 'delete',
    before: definitionForJournal(item),
    after: '',
  })
}

const HASHES: readonly string[] = ['secretHash', 'passwordHash', 'hash']

/** The change log records that a secret has changed, but not its hash: others may read the log later. */
function definitionForJournal({ kind, definition }: SetupItem): string {
  if (kind !== 'client' && kind !== 'subscription' && kind !== 'user') return JSON.stringify(definition)
  return JSON.stringify(definition, (name, value) => (HASHES.includes(name) ? '(hidden)' : value))
}
