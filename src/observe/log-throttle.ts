// Limits how often a message is logged per second: writing a burst of them would cost more than they are worth.

const MAX_PER_SECOND = 20

export class LogThrottle {
  #second = 0
  #passed = 0
  #omitted = 0

  /**
   * The number of messages omitted since the last logged one; undefined if this one must be omitted too. `nowMs` may
   * count from any instant.
   */
  pass(nowMs: number): number | undefined {
    const second = Math.floor(nowMs / 1000)
    if (second !== this.#second) {
      this.#second = second
      this.#passed = 0
    }
    if (this.#passed >= MAX_PER_SECOND) {
      this.#omitted += 1
      return undefined
    }
    this.#passed += 1
    const omitted = this.#omitted
    this.#omitted = 0
    return omitted
  }
}
