// Trace spans for the store's work on behalf of a request.
import type { Traces } from '../observe/observation.ts'
import type { ReadTx, Store } from './store.ts'
import { storeOver } from './store-over.ts'

/** A write has one span for all of it, and one inside for the work in its transaction. */
export function tracedStore(store: Store, traces: Traces): Store {
  const inSpans = <Handle, T>(
    write: (work: (tx: Handle) => Promise<T>) => Promise<T>,
    work: (tx: Handle) => Promise<T>,
  ) =>
    traces.span('store write', () =>
      write(traces.bound((tx: Handle) => traces.span('store transaction', () => work(tx)))),
    )
  return storeOver(store, {
    reading: (companyId) => tracedReading(store.reading(companyId), traces),
    write: (companyId, actor, work) => inSpans((traced) => store.write(companyId, actor, traced), work),
    writeTogether: (companyId, actor, work) => inSpans((traced) => store.writeTogether(companyId, actor, traced), work),
    count: (...args) => traces.span('store count', () => store.count(...args)),
    // The span ends with the first chunk; the rest is produced while it is sent.
    collect: (...args) => traces.span('store collect', () => store.collect(...args)),
  })
}

function tracedReading(tx: ReadTx, traces: Traces): ReadTx {
  return {
    companyId: tx.companyId,
    first: (statement, values) => traces.span(`store read ${statement.name}`, () => tx.first(statement, values)),
    all: (statement, values) => traces.span(`store read ${statement.name}`, () => tx.all(statement, values)),
    count: (compile) => traces.span('store read count', () => tx.count(compile)),
  }
}
