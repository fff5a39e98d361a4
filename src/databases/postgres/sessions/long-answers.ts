// Which queries have long answers: others are first asked for a short one, which takes no cursor.
import { LRUCache } from 'lru-cache'

const MOST_QUERIES = 1_000
/** After so many answers a query is asked for a short one again. */
const LATER = 100

export class LongAnswers {
  /** How many answers a query has before. */
  readonly #left = new LRUCache<string, number>({ max: MOST_QUERIES })

  /** Whether a query, given by its text, is to be asked for a short answer. */
  mayBeShort(text: string): boolean {
    const left = this.#left.get(text)
    if (left === undefined) return true
    if (left === 1) this.#left.delete(text)
    else this.#left.set(text, left - 1)
    return false
  }

  add(text: string): void {
    this.#left.set(text, LATER)
  }
}
