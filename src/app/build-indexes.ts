import { systemClock } from '../base/clock.ts'
import { IndexesInForce } from '../setup/indexes-in-force.ts'
import { itemOf } from '../setup/setup-items.ts'
import { openStore, type StoreSettings } from '../store/open-store.ts'
import { listSetupItems } from '../store/setup-store.ts'
import { builtInDocuments } from './built-in-documents.ts'
import { findersIn } from './setup-task.ts'

/** Builds the indexes that the setup in force asks for, for processes beside this one that serve; stops when it is told to. */
export async function buildIndexes(settings: Omit<StoreSettings, 'clock'>, stopped: AbortSignal): Promise<void> {
  const { observe } = settings
  const store = await openStore({ ...settings, isWorker: true, clock: systemClock })
  try {
    const { findCommon } = findersIn(builtInDocuments(systemClock))
    const indexes = new IndexesInForce({ store, findCommon, observe, builds: true })
    await indexes.replace((await listSetupItems(store.reading(''))).map(itemOf))
    stopped.addEventListener('abort', () => void indexes.stop())
    indexes.serve()
    await indexes.settle()
  } finally {
    await store.close()
  }
}
