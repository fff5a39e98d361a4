import type { DeliveryTime } from '../../../src/subscriptions/delivery/delivery-parts.ts'

/** A time that only the test lets pass. */
export class TestTime implements DeliveryTime {
  now = Date.parse('2026-03-01T12:00:00.000Z')
  readonly #waiting = new Map<() => void, number>()

  readonly clock = () => new Date(this.now)

  readonly until = (at: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (at <= this.now || signal.aborted) return resolve()
      this.#waiting.set(resolve, at)
      signal.addEventListener('abort', () => {
        this.#waiting.delete(resolve)
        resolve()
      })
    })

  /** When the next one of those that wait is due. */
  get next(): number | undefined {
    return this.#waiting.size === 0 ? undefined : Math.min(...this.#waiting.values())
  }

  advanceTo(at: number): void {
    this.now = at
    for (const [resolve, due] of this.#waiting) {
      if (due > at) continue
      this.#waiting.delete(resolve)
      resolve()
    }
  }
}
