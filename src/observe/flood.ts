// What is said again and again within a second is said a few times only: writing it would cost more than what it tells.

const MOST_A_SECOND = 20

export class Flood {
  #second = 0
  #passed = 0
  #leftOut = 0

  /** How many were left out before this one, which may pass; nothing when it is left out too. `nowMs`: since any moment. */
  pass(nowMs: number): number | undefined {
    const second = Math.floor(nowMs / 1000)
    if (second !== this.#second) {
      this.#second = second
      this.#passed = 0
    }
    if (this.#passed >= MOST_A_SECOND) {
      this.#leftOut += 1
      return undefined
    }
    this.#passed += 1
    const leftOut = this.#leftOut
    this.#leftOut = 0
    return leftOut
  }
}
