// Queries that are not served the usual way, because of what their last answer was like. The mark of a query, by its
// text, fades: after some more answers it is served the usual way again.
import { LRUCache } from 'lru-cache'

const MOST_QUERIES = 1_000
const ANSWERS = 100

export class FadingMarks {
  /** For how many answers a query stays marked. */
  readonly #left = new LRUCache<string, number>({ max: MOST_QUERIES })

  /** Asked once for each answer. */
  has(text: string): boolean {
    const left = this.#left.get(text)
    if (left === undefined) return false
    if (left === 1) this.#left.delete(text)
    else this.#left.set(text, left - 1)
    return true
  }

  add(text: string): void {
    this.#left.set(text, ANSWERS)
  }
}
