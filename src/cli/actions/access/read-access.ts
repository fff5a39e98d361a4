import type { AccessDefinitions } from '../../../access/directory.ts'
import { openReadOnly } from '../../../databases/open/open-read-only.ts'
import { accessFrom } from '../../../setup/rules/access-definitions.ts'
import { listSetupItems } from '../../../store/service-state/setup-store.ts'
import { type StoreFlags, storeOptions } from '../../settings/settings.ts'

/** The stored clients, users and roles. Takes no lock, so it also works while the service runs. */
export async function readAccess(settings: StoreFlags): Promise<AccessDefinitions> {
  await using database = await openReadOnly(storeOptions(settings))
  const rows = await listSetupItems({ all: (statement, values) => database.all('', statement, values) })
  return accessFrom(rows.map(({ kind, definition }) => ({ kind, definition: JSON.parse(definition) as object })))
}
