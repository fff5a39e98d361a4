// Numbers that look random and are the same in every run, so that the records, and what is asked about them, are too.

export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 up to 1, which is left out (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number from 0 up to `limit`, which is left out. */
  whole(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  /** As `whole`, but the small ones come more often: a few of many have most of what there is. */
  skewed(limit: number): number {
    return Math.floor(this.next() ** 2 * limit)
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.whole(items.length)] as Item
  }

  /** The first ones come more often. */
  pickSkewed<Item>(items: readonly Item[]): Item {
    return items[this.skewed(items.length)] as Item
  }
}
