import { openReadOnly } from '../../../databases/open/open-read-only.ts'
import { printSetup } from '../../../setup/apply/print-setup.ts'
import { readItemsBeside } from '../../../setup/items/setup-items.ts'
import { type StoreFlags, storeOptions } from '../../settings/settings.ts'
import type { Terminal } from '../../terminal/terminal.ts'

/** Takes no lock, so it also works while the service runs. */
export async function printStoredSetup(settings: StoreFlags, terminal: Terminal): Promise<void> {
  await using database = await openReadOnly(storeOptions(settings))
  terminal.stdout.write(printSetup(await readItemsBeside(database)))
}
