import { systemClock } from '../base/clock.ts'
import { itemOf } from '../setup/apply/setup-items.ts'
import { ActiveIndexes } from '../setup/rules/active-indexes.ts'
import type { StoreSettings } from '../store/dialects/driver.ts'
import { openStore } from '../store/open-store.ts'
import { listSetupItems } from '../store/service-state/setup-store.ts'
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
