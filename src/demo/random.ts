/** Seeded random numbers (mulberry32): the same seed gives the same sequence on every machine. */
export class Random {
  private state: number

  constructor(seed: number) {
    this.state = seed | 0
  }

  /** A number from 0 (inclusive) to 1 (exclusive). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }

  /** An integer from `from` to `to`, both inclusive. */
  integer(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1))
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() * list.length)] as T
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  /** An integer from 1 to `max`, mostly small. */
  few(max: number): number {
    return 1 + Math.floor(this.next() ** 3 * max)
  }

  /** An amount in oere, from a median in kroner: many small amounts, few large ones, some of them round. */
  amount(median: number): number {
    const bell = this.next() + this.next() + this.next() + this.next() - 2
    const kroner = median * Math.exp(bell * 1.5)
    const form = this.next()
    if (form < 0.35 && kroner >= 1000) return Math.round(kroner / 100) * 10_000
    if (form < 0.7) return Math.max(1, Math.round(kroner)) * 100
    return Math.max(1, Math.round(kroner * 100))
  }
}
