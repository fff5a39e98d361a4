// Seeded random choices.
import { randomNumbers } from '../reliability-test.ts'

const WORDS = [
  'Oslo',
  'n\u00e6r \u00e5',
  "O'Brien",
  '"quoted"',
  '50%',
  'a;b,c',
  '<b>',
  '\u65e5\u672c',
  '\u{1f600}',
  '\u200f',
  '--',
  '{}',
]

export class Chance {
  readonly #next: () => number

  constructor(seed: number) {
    this.#next = randomNumbers(seed)
  }

  /** An integer from 0 to below the bound. */
  below(bound: number): number {
    return Math.floor(this.#next() * bound)
  }

  between(least: number, most: number): number {
    return least + this.below(most - least + 1)
  }

  happens(probability: number): boolean {
    return this.#next() < probability
  }

  pick<Item>(items: readonly Item[]): Item {
    if (items.length === 0) throw new Error('there is nothing to pick from')
    return items[this.below(items.length)] as Item
  }

  /** Text with difficult characters, at most this many UTF-16 units, neither empty nor with blanks at its ends. */
  text(longest = 40): string {
    const text = Array.from({ length: this.between(1, 3) }, () => this.pick(WORDS)).join(' ')
    return text.length <= longest ? text : String(this.below(10)).repeat(Math.min(longest, 3))
  }
}
