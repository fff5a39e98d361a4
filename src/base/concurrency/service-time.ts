/** The mean time that a queue takes per item, as an exponential moving average. */
export class ServiceTime {
  #meanMs = 0

  /** Records that the queue, without running empty, has served so many items in `ms`. */
  record(items: number, ms: number): void {
    this.#meanMs += (ms / items - this.#meanMs) * SMOOTHING_FACTOR
  }

  /** The expected wait behind so many items. */
  expectedWaitMs(ahead: number): number {
    return ahead * this.#meanMs
  }
}

/** The weight of the newest measurement; small, so that a single slow one hardly matters. */
const SMOOTHING_FACTOR = 0.02
