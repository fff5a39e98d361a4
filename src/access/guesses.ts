// Wrong secrets are counted for each client and address, so that a secret cannot be found by trying.
import { LRUCache } from 'lru-cache'
import { tooMany } from '../errors/catalogue.ts'

/** Wrong ones within a minute; a program whose secret was changed comes nowhere near. */
export const MOST_WRONG_SECRETS = 30
const WINDOW_MS = 60_000
/** Each costs the guesser some 50 ms of ours: more than these cannot be counted within the minute. */
const REMEMBERED = 20_000

export class Guesses {
  readonly #counts = new LRUCache<string, { wrong: number }>({ max: REMEMBERED, ttl: WINDOW_MS })

  /** Counts a secret before it is checked, as a wrong one. Throws 429 when there were too many within the minute. */
  begin(guesser: string): void {
    const count = this.#counts.get(guesser)
    if (!count) this.#counts.set(guesser, { wrong: 1 })
    else if (count.wrong < MOST_WRONG_SECRETS) count.wrong += 1
    else throw tooMany('Too many wrong secrets.', Math.ceil(this.#counts.getRemainingTTL(guesser) / 1000))
  }

  /** It was the right one. */
  forget(guesser: string): void {
    this.#counts.delete(guesser)
  }
}
