// Where a statement must not take long it is ended by functions that it calls: by one for a text or a list that is too
// long to be gone through, and by one for each item of a list in another table.
import type { Connection } from '../connection.ts'

/** Items that one statement may look at here: some milliseconds. */
const MOST_ITEMS = 10_000
/** Bytes of an answer that is made as one text here. */
const LONGEST_ANSWER = 2 * 1024 * 1024

/** A statement has come upon more than was to be seen before it began. */
export class OutOfReach extends Error {
  override readonly name = 'OutOfReach'
}

/** Gives a connection the functions; whatever they are called for is in reach. */
export function addReach(connection: Connection): void {
  connection.function('long_text', { deterministic: true }, (text) => text)
  connection.function('next_item', () => 1)
}

/** The same for a connection of the service, whose statements may be run within bounds. */
export class Reach {
  readonly #connection: Connection
  /** Absent: whatever is asked for is in reach. */
  #itemsLeft: number | undefined

  constructor(connection: Connection) {
    this.#connection = connection
    connection.function('long_text', { deterministic: true }, (text) => {
      if (this.#itemsLeft !== undefined) throw new OutOfReach('a text is too long to be gone through here')
      return text
    })
    connection.function('next_item', () => {
      if (this.#itemsLeft !== undefined && --this.#itemsLeft < 0) throw new OutOfReach('a list has too many items')
      return 1
    })
  }

  /** Runs a statement that throws `OutOfReach`, or that its text is too big, where it would hold up everybody else. */
  within<Result>(run: () => Result): Result {
    const { limits } = this.#connection
    const { length } = limits
    limits.length = LONGEST_ANSWER
    this.#itemsLeft = MOST_ITEMS
    try {
      return run()
    } finally {
      this.#itemsLeft = undefined
      limits.length = length
    }
  }
}
