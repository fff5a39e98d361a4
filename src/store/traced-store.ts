// Trace spans for the store's work on behalf of a request.
import type { Traces } from '../observe/observation.ts'
import type { ReadTx, Store } from './store.ts'

/** A write has one span for all of it, and one inside for the work in its transaction. */
export function tracedStore(store: Store, traces: Traces): Store {
  return {
    slow: store.slow,
    newestEntries: store.newestEntries,
    recordsAtOnce: store.recordsAtOnce,
    reading: (companyId) => tracedReading(store.reading(companyId), traces),
    write: (companyId, actor, work) =>
      traces.span('store write', () => {
        const traced = traces.bound((tx: Parameters<typeof work>[0]) =>
          traces.span('store transaction', () => work(tx)),
        )
        return store.write(companyId, actor, traced)
      }),
    writeState: (...args) => store.writeState(...args),
    upsertCounters: (statement, values) => store.upsertCounters(statement, values),
    writeSetup: (actor, work) => store.writeSetup(actor, work),
    validityOf: (...args) => store.validityOf(...args),
    count: (...args) => traces.span('store count', () => store.count(...args)),
    // The span ends with the first chunk; the rest is produced while it is sent.
    collect: (...args) => traces.span('store collect', () => store.collect(...args)),
    columnsOf: (table) => store.columnsOf(table),
    integrity: () => store.integrity(),
    setupIndexes: () => store.setupIndexes(),
    changeIndexes: (...args) => store.changeIndexes(...args),
    databaseBytes: () => store.databaseBytes(),
    ping: () => store.ping(),
    close: () => store.close(),
  }
}

function tracedReading(tx: ReadTx, traces: Traces): ReadTx {
  return {
    companyId: tx.companyId,
    first: (statement, values) => traces.span(`store read ${statement.name}`, () => tx.first(statement, values)),
    all: (statement, values) => traces.span(`store read ${statement.name}`, () => tx.all(statement, values)),
    count: (compile) => traces.span('store read count', () => tx.count(compile)),
  }
}
