// Records what has become of events. Results that come in while others are being written are written together.
import { setTimeout as delay } from 'node:timers/promises'
import { type Lease, LeaseLost } from '../../store/lease-table.ts'
import { type AfterResults, type DeliveryResult, endAttempts } from './attempt-store.ts'
import type { DeliveryParts } from './delivery-parts.ts'

/** After a write that the store has refused. */
const TRY_AGAIN_MS = 1_000

interface Waiting extends PromiseWithResolvers<AfterResults> {
  readonly result: DeliveryResult
}

/** What it returns rejects when a result cannot be recorded any more: whoever delivers next sends the events again. */
export function resultWriter(lease: Lease, { store, time }: Pick<DeliveryParts, 'store' | 'time'>, ended: AbortSignal) {
  let waiting: Waiting[] = []
  let isWriting = false
  const write = async (): Promise<void> => {
    isWriting = true
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      const results = batch.map(({ result }) => result)
      try {
        const after = await recorded(results)
        for (const { resolve } of batch) resolve(after)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    isWriting = false
  }
  const recorded = async (results: readonly DeliveryResult[]): Promise<AfterResults> => {
    for (;;) {
      try {
        return await endAttempts(store, lease, results, time.clock())
      } catch (error) {
        if (error instanceof LeaseLost || ended.aborted) throw error
        await delay(TRY_AGAIN_MS, undefined, { signal: ended }).catch(() => {})
      }
    }
  }
  return (result: DeliveryResult): Promise<AfterResults> => {
    const one = { result, ...Promise.withResolvers<AfterResults>() }
    waiting.push(one)
    if (!isWriting) void write()
    return one.promise
  }
}
