// Limits the memory of a session: the driver buffers a complete answer, and an error that it throws while reading would
// end the process.
import type { Socket } from 'node:net'
import type pg from 'pg'
import { RowBytes } from './row-bytes.ts'

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
