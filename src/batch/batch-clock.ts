// The time that a batch may take, and the requester that may leave.
import type { ApiRequest } from '../http/route/route.ts'

/** Operations that have not begun by then are refused; one that still reads is stopped. */
const MAX_BATCH_MS = 30_000

export class BatchClock {
  isOver = false
  readonly #timer: NodeJS.Timeout
  #stops: (() => void)[] = []

  constructor({ onClosed }: Pick<ApiRequest, 'onClosed'>, ms = MAX_BATCH_MS) {
    const end = () => {
      this.isOver = true
      for (const stop of this.#stops.splice(0)) stop()
    }
    this.#timer = setTimeout(end, ms)
    onClosed(end)
  }

  /** For the queries of one operation; those of the one before have ended. */
  readonly onAbandoned = (stop: () => void): void => {
    if (this.isOver) stop()
    else this.#stops.push(stop)
  }

  nextOperation(): void {
    this.#stops = []
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}
