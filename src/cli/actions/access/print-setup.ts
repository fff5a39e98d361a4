import { openReadOnly } from '../../../databases/open/open-read-only.ts'
import { printSetup } from '../../../setup/apply/print-setup.ts'
import { itemOf } from '../../../setup/items/setup-items.ts'
import { listSetupItems } from '../../../store/service-state/setup-store.ts'
import { type StoreFlags, storeOptions } from '../../settings/settings.ts'
import type { Terminal } from '../../terminal/terminal.ts'

/** Takes no lock, so it also works while the service runs. */
export async function printStoredSetup(settings: StoreFlags, terminal: Terminal): Promise<void> {
  await using database = await openReadOnly(storeOptions(settings))
  const rows = await listSetupItems({ all: (statement, values) => database.all('', statement, values) })
  terminal.stdout.write(printSetup(rows.map(itemOf)))
}
