// Pseudorandom numbers from a fixed seed, so that records and queries are the same in every run.

export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** A number in [0, 1) (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** An integer in [0, `limit`). */
  whole(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  /** As `whole`, but small numbers are more frequent, so that a few keys have most of the records. */
  skewed(limit: number): number {
    return Math.floor(this.next() ** 2 * limit)
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.whole(items.length)] as Item
  }

  /** An item of the list; the first ones are more frequent. */
  pickSkewed<Item>(items: readonly Item[]): Item {
    return items[this.skewed(items.length)] as Item
  }
}
