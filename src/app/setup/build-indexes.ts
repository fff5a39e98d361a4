import { systemClock } from '../../base/clock.ts'
import type { StoreSettings } from '../../databases/driver.ts'
import { openStore } from '../../databases/open/open-store.ts'
import { ActiveIndexes } from '../../setup/items/active-indexes.ts'
import { itemOf } from '../../setup/items/setup-items.ts'
import { listSetupItems } from '../../store/service-state/setup-store.ts'
import { builtInDocuments } from './built-in-documents.ts'
import { findersIn } from './setup-task.ts'

/** Builds the indexes of the current setup on behalf of the worker processes, until `stopped` is aborted. */
export async function buildIndexes(settings: Omit<StoreSettings, 'clock'>, stopped: AbortSignal): Promise<void> {
  const { observe } = settings
  await using resources = new AsyncDisposableStack()
  const store = await openStore({ ...settings, isWorker: true, clock: systemClock })
  resources.defer(() => store.close())
  const { findCommon } = findersIn(builtInDocuments(systemClock))
  const indexes = new ActiveIndexes({ store, findCommon, observe, builds: true })
  await indexes.replace((await listSetupItems(store.reading(''))).map(itemOf))
  stopped.addEventListener('abort', () => void indexes.stop())
  indexes.start()
  await indexes.settle()
}
