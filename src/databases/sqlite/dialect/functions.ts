// The functions that queries call: case folding as the query language defines it, because SQLite's own handles only
// ASCII; and limits for statements that run in the service's thread, which throw for a text or list that is too long
// and for each item of a list in another table.
import { casePairs } from '../../../sql/rows/case-pairs.ts'
import type { Connection } from './connection.ts'
import { addExactNumbers } from './exact-numbers.ts'

const ONLY_ASCII = /^[\x00-\x7f]*$/

/** ASCII texts are folded by `foldAscii`, which is faster and gives the same result. */
function folder(to: 'lower' | 'upper', foldAscii: (text: string) => string): (text: unknown) => string {
  return (value) => {
    const text = String(value)
    if (ONLY_ASCII.test(text)) return foldAscii(text)
    const pairs = casePairs(to)
    let folded = ''
    for (const letter of text) folded += pairs.get(letter) ?? letter
    return folded
  }
}

const FUNCTIONS: Readonly<Record<string, (text: unknown) => string>> = {
  fold_lower: folder('lower', (text) => text.toLowerCase()),
  fold_upper: folder('upper', (text) => text.toUpperCase()),
}

/** Registers the functions that queries use on a reading connection, without work limits (see reach.ts). */
export function addFunctions(connection: Connection): void {
  addUnlimitedFunctions(connection)
  for (const [name, run] of Object.entries(FUNCTIONS)) connection.function(name, { deterministic: true }, run)
  addExactNumbers(connection)
}

/** The maximum number of items that one statement may visit; takes some milliseconds. */
const MAX_ITEMS = 10_000
/** The maximum size of an answer built as one text. */
const MAX_ANSWER = 2 * 1024 * 1024

/** A statement needed more work than its scan estimate could predict. */
export class WorkLimitExceeded extends Error {
  override readonly name = 'WorkLimitExceeded'
}

/** Registers the functions without limits. */
function addUnlimitedFunctions(connection: Connection): void {
  connection.function('long_text', { deterministic: true }, (text) => text)
  connection.function('next_item', () => 1)
}

/** Registers the functions on a connection of the service, whose statements can be run with limits. */
export class WorkLimits {
  readonly #connection: Connection
  /** The number of items left; undefined: no limits. */
  #itemsLeft: number | undefined

  constructor(connection: Connection) {
    this.#connection = connection
    connection.function('long_text', { deterministic: true }, (text) => {
      if (this.#itemsLeft !== undefined) throw new WorkLimitExceeded('a text is too long to be gone through here')
      return text
    })
    connection.function('next_item', () => {
      if (this.#itemsLeft !== undefined && --this.#itemsLeft < 0)
        throw new WorkLimitExceeded('a list has too many items')
      return 1
    })
  }

  /**
   * Runs a statement with limits: it throws `WorkLimitExceeded`, or SQLite's "too big", instead of blocking the thread.
   */
  within<Result>(run: () => Result): Result {
    const { limits } = this.#connection
    const { length } = limits
    limits.length = MAX_ANSWER
    this.#itemsLeft = MAX_ITEMS
    try {
      return run()
    } finally {
      this.#itemsLeft = undefined
      limits.length = length
    }
  }
}
