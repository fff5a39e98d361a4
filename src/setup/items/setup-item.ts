// An item of a setup, as it is stored and read. Who only looks at clients and users loads nothing else of setups.
import type { SetupItemTable } from '../../sql/service-tables.ts'
import type { ReadOnlyDatabase } from '../../store/audit/audit-store.ts'
import { listSetupItems } from '../../store/service-state/setup-store.ts'
import type { ReadTx } from '../../store/store.ts'

export type ItemKind =
  | 'company'
  | 'attribute'
  | 'relation'
  | 'documentType'
  | 'valueList'
  | 'customers'
  | 'role'
  | 'user'
  | 'client'
  | 'document'
  /** Additional indexes of a built-in document. */
  | 'indexes'
  | 'authentication'
  | 'subscription'
  /** No part of a setup: says that it is administered in the console. */
  | 'console'

export interface SetupItem {
  /** Empty for an item that belongs to no company. */
  readonly companyId: string
  readonly kind: ItemKind
  readonly id: string
  readonly definition: object
}

/** The setup in force. */
export async function readItems(tx: Pick<ReadTx, 'all'>): Promise<SetupItem[]> {
  return (await listSetupItems(tx)).map(itemOf)
}

/** The same beside the service: it takes no lock. */
export function readItemsBeside(database: ReadOnlyDatabase): Promise<SetupItem[]> {
  return readItems({ all: (declared, values) => database.all('', declared, values) })
}

/** Parses a stored item. */
export function itemOf(row: SetupItemTable): SetupItem {
  return { companyId: row.company_id, kind: row.kind as ItemKind, id: row.id, definition: JSON.parse(row.definition) }
}
