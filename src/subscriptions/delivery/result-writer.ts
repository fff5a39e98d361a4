// Records what has become of events. Results that come in while others are being written are written together.
import { setTimeout as delay } from 'node:timers/promises'
import { type Lease, LeaseLost } from '../../store/lease-table.ts'
import { type AfterResults, type DeliveryResult, endAttempts } from './attempt-store.ts'
import type { DeliveryParts } from './delivery-parts.ts'

/** After a write that the store has refused. */
const TRY_AGAIN_MS = 1_000

interface Waiting {
  readonly result: DeliveryResult
  done(after: AfterResults): void
  failed(error: unknown): void
}

export class ResultWriter {
  readonly #lease: Lease
  readonly #parts: Pick<DeliveryParts, 'store' | 'time'>
  readonly #ended: AbortSignal
  #waiting: Waiting[] = []
  #isWriting = false

  constructor(lease: Lease, parts: Pick<DeliveryParts, 'store' | 'time'>, ended: AbortSignal) {
    this.#lease = lease
    this.#parts = parts
    this.#ended = ended
  }

  /** Rejects when the result cannot be recorded any more: whoever delivers next sends the events again. */
  add(result: DeliveryResult): Promise<AfterResults> {
    return new Promise((done, failed) => {
      this.#waiting.push({ result, done, failed })
      if (!this.#isWriting) void this.#write()
    })
  }

  async #write(): Promise<void> {
    this.#isWriting = true
    while (this.#waiting.length > 0) {
      const batch = this.#waiting
      this.#waiting = []
      const results = batch.map(({ result }) => result)
      try {
        const after = await this.#recorded(results)
        for (const { done } of batch) done(after)
      } catch (error) {
        for (const { failed } of batch) failed(error)
      }
    }
    this.#isWriting = false
  }

  async #recorded(results: readonly DeliveryResult[]): Promise<AfterResults> {
    for (;;) {
      try {
        return await endAttempts(this.#parts.store, this.#lease, results, this.#parts.time.clock())
      } catch (error) {
        if (error instanceof LeaseLost || this.#ended.aborted) throw error
        await delay(TRY_AGAIN_MS, undefined, { signal: this.#ended }).catch(() => {})
      }
    }
  }
}
