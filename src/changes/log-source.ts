// What the log is read from: the store, in steps of the work that reads it.
import type { Steps } from '../base/concurrency/steps.ts'
import type { ReadTx, Store } from '../store/store.ts'

/** Others have their turn after each statement, if the step has been long enough. */
export interface LogTx extends ReadTx {
  readonly steps: Steps
}

export interface LogSource extends Pick<Store, 'collect'> {
  readonly steps: Steps
  reading(companyId: string): LogTx
}

export function inSteps(store: Pick<Store, 'reading' | 'collect'>, steps: Steps): LogSource {
  return {
    steps,
    collect: (companyId, query) => store.collect(companyId, query),
    reading: (companyId) => {
      const tx = store.reading(companyId)
      const paused = async <T>(read: Promise<T>): Promise<T> => {
        const found = await read
        await steps.pause()
        return found
      }
      return {
        companyId,
        steps,
        first: (declared, values) => paused(tx.first(declared, values)),
        all: (declared, values) => paused(tx.all(declared, values)),
        count: (compile) => paused(tx.count(compile)),
      }
    },
  }
}
