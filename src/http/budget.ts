// How much memory file contents on their way may take, whatever the number of callers: who comes when it is spent is told
// to come again.
import { unavailable } from '../errors/catalogue.ts'

const RETRY_AFTER_SECONDS = 2

export class Budget {
  readonly #mostBytes: number
  #spentBytes = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  get spentBytes(): number {
    return this.#spentBytes
  }

  hasRoomFor(bytes: number): boolean {
    return this.#spentBytes + bytes <= this.#mostBytes
  }

  /** Takes a part; gives the function that puts it back. Throws 503 when not so much is left. */
  take(bytes: number): () => void {
    if (!this.hasRoomFor(bytes)) {
      throw unavailable('Too many files are on their way at once.', RETRY_AFTER_SECONDS)
    }
    this.#spentBytes += bytes
    let isTaken = true
    return () => {
      if (isTaken) this.#spentBytes -= bytes
      isTaken = false
    }
  }
}
