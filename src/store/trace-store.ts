// Trace spans for the store's work on behalf of a request.
import type { Traces } from '../observe/traces.ts'
import type { ReadTx, Store } from './store.ts'

/**
 * Wraps the store's methods in spans. A write has one span for all of it, and one inside for the work in its
 * transaction.
 */
export function traceStore(store: Store, traces: Traces): void {
  const [reading, write] = [store.reading.bind(store), store.write.bind(store)]
  const [count, collect] = [store.count.bind(store), store.collect.bind(store)]
  store.reading = (companyId) => tracedReading(reading(companyId), traces)
  store.write = (companyId, actor, work) =>
    traces.span('store write', () =>
      write(
        companyId,
        actor,
        traces.bound((tx) => traces.span('store transaction', () => work(tx))),
      ),
    )
  store.count = (companyId, query) => traces.span('store count', () => count(companyId, query))
  // The span ends with the first chunk; the rest is produced while it is sent.
  store.collect = (companyId, query) => traces.span('store collect', () => collect(companyId, query))
}

function tracedReading(tx: ReadTx, traces: Traces): ReadTx {
  return {
    companyId: tx.companyId,
    first: (statement, values) => traces.span(`store read ${statement.name}`, () => tx.first(statement, values)),
    all: (statement, values) => traces.span(`store read ${statement.name}`, () => tx.all(statement, values)),
    count: (compile) => traces.span('store read count', () => tx.count(compile)),
  }
}
