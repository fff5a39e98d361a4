// Takes the rows of a statement out of what the database sends, as the bytes that they come as: a row of megabytes is
// never one text, and never whole. The driver gets everything else.

/** A message of the protocol is its type, the length of the rest, which counts itself, and the rest. */
const HEAD_BYTES = 5
/** The head of a row of one column, with the number of columns and the length of the first. */
const ROW_HEAD_BYTES = HEAD_BYTES + 2 + 4
const ROW = 'D'.charCodeAt(0)
/** What ends the rows of a statement: its completion, or an error. */
const LAST = new Set(['C', 'E'].map((type) => type.charCodeAt(0)))
const NONE = Buffer.alloc(0)

export interface RowTaker {
  begin(): void
  addBytes(bytes: Uint8Array): void
}

export class RowBytes {
  readonly #pass: (bytes: Buffer) => void
  /** The beginning of a head. */
  #rest: Buffer = NONE
  /** The bytes of the message that have not come. */
  #left = 0
  /** Has the rest of the message, if it is a row that is taken. */
  #into: RowTaker | undefined
  /**
   * Takes the rows that follow, which have one column each and no nulls, up to the end of their statement. Those that
   * came together with their description have been passed on.
   */
  taker: RowTaker | undefined

  constructor(pass: (bytes: Buffer) => void) {
    this.#pass = pass
  }

  add(received: Buffer): void {
    const bytes = this.#rest.length === 0 ? received : Buffer.concat([this.#rest, received])
    this.#rest = NONE
    let passed = 0
    for (let at = 0; at < bytes.length; ) {
      if (this.#left === 0) {
        const start = at
        at = this.#begin(bytes, start)
        if (at === start) break
        if (this.#into && passed < start) this.#pass(bytes.subarray(passed, start))
        this.#into?.begin()
      }
      const end = Math.min(bytes.length, at + this.#left)
      this.#left -= end - at
      this.#into?.addBytes(bytes.subarray(at, end))
      if (this.#into) passed = end
      at = end
    }
    const end = bytes.length - this.#rest.length
    if (passed < end) this.#pass(bytes.subarray(passed, end))
  }

  /** Reads the head of a message. Returns the position after it, or the same if it is not complete. */
  #begin(bytes: Buffer, at: number): number {
    const type = bytes[at] as number
    const into = type === ROW ? this.taker : undefined
    const after = at + (into ? ROW_HEAD_BYTES : HEAD_BYTES)
    if (after > bytes.length) {
      this.#rest = bytes.subarray(at)
      return at
    }
    if (LAST.has(type)) this.taker = undefined
    this.#left = at + 1 + bytes.readUInt32BE(at + 1) - after
    this.#into = into
    return after
  }
}
