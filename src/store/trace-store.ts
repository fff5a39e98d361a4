// Spans of what the store does for a request, when traces are wanted.
import type { Traces } from '../observe/traces.ts'
import type { ReadTx, Store } from './store.ts'

/**
 * Lets the store tell what it does. A write has a span for the whole of it, and one within for what is done in its
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
  // Until the first piece is there; the rest is made as it is sent.
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
