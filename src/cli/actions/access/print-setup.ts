import { printSetup } from '../../../setup/apply/print-setup.ts'
import { itemOf } from '../../../setup/apply/setup-items.ts'
import { openReadOnly } from '../../../store/open-read-only.ts'
import { listSetupItems } from '../../../store/service-state/setup-store.ts'
import { type StoreFlags, storeOptions } from '../../settings.ts'
import type { Terminal } from '../../terminal.ts'

/** Takes no lock, so it also works while the service runs. */
export async function printStoredSetup(settings: StoreFlags, terminal: Terminal): Promise<void> {
  await using database = await openReadOnly(storeOptions(settings))
  const rows = await listSetupItems({ all: (statement, values) => database.all('', statement, values) })
  terminal.stdout.write(printSetup(rows.map(itemOf)))
}
