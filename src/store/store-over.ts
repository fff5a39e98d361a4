// A store of which some functions are replaced.
import type { Store } from './store.ts'

/** All that `changes` does not replace is done by `store`. */
export function storeOver(store: Store, changes: Partial<Store>): Store {
  return {
    slow: store.slow,
    newestEntries: store.newestEntries,
    recordsAtOnce: store.recordsAtOnce,
    sharedReads: store.sharedReads,
    reading: (companyId) => store.reading(companyId),
    write: (...args) => store.write(...args),
    writeTogether: (...args) => store.writeTogether(...args),
    writeState: (...args) => store.writeState(...args),
    upsertCounters: (...args) => store.upsertCounters(...args),
    writeSetup: (...args) => store.writeSetup(...args),
    validityOf: (...args) => store.validityOf(...args),
    count: (...args) => store.count(...args),
    collect: (...args) => store.collect(...args),
    columnsOf: (table) => store.columnsOf(table),
    integrity: () => store.integrity(),
    setupIndexes: () => store.setupIndexes(),
    changeIndexes: (...args) => store.changeIndexes(...args),
    databaseBytes: () => store.databaseBytes(),
    ping: () => store.ping(),
    close: () => store.close(),
    ...changes,
  }
}
