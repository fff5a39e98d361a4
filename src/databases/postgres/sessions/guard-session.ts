// Limits the memory of a session: the driver buffers a complete answer, and an error that it throws while reading would
// end the process.
import type { Socket } from 'node:net'
import type pg from 'pg'

/** The limit of one statement; rows that are consumed as they arrive count individually. */
const MAX_BYTES = 64 * 1024 * 1024

export class TooLarge extends Error {
  override readonly name = 'TooLarge'
}

/** Members of the driver that its types omit. */
export interface Connected {
  readonly connection: {
    readonly stream: Socket
    on(event: 'readyForQuery', listener: () => void): void
  }
}

/** Ends the session and its statement when an answer exceeds the limit or cannot be parsed. */
export function guardSession(client: pg.ClientBase): Guard {
  const { connection } = client as unknown as Connected
  const { stream } = connection
  // The driver has one listener.
  const [read] = stream.listeners('data') as [(chunk: Buffer) => void]
  const guard = new Guard(read)
  connection.on('readyForQuery', () => guard.reset())
  stream.off('data', read)
  stream.on('data', (chunk: Buffer) => {
    try {
      guard.add(chunk)
    } catch (error) {
      stream.destroy(error as Error)
    }
  })
  return guard
}

export class Guard {
  #bytes = 0
  readonly rows: RowBytes

  constructor(read: (chunk: Buffer) => void) {
    this.rows = new RowBytes(read)
  }

  add(chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#bytes > MAX_BYTES) throw new TooLarge(`a statement has answered more than ${MAX_BYTES} bytes`)
    this.rows.add(chunk)
  }

  /** The bytes so far have been consumed. */
  reset(): void {
    this.#bytes = 0
  }
}

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

interface RowTaker {
  begin(): void
  addBytes(bytes: Uint8Array): void
}

class RowBytes {
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
