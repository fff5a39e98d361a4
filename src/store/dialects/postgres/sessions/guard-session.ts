// What a session may bring into this process: the driver keeps all of an answer until it is whole, and what it throws
// while it reads would end the process.
import type { Socket } from 'node:net'
import type pg from 'pg'

/** Of one statement; rows that are taken as they come count by themselves. */
const MOST_BYTES = 64 * 1024 * 1024

export class TooLarge extends Error {
  override readonly name = 'TooLarge'
}

/** What of the driver its types leave out. */
export interface Connected {
  readonly connection: {
    readonly stream: Socket
    on(event: 'readyForQuery', listener: () => void): void
  }
}

/** Ends the session, and what is asked of it, when it answers more than can be kept, or what cannot be read. */
export function guardSession(client: pg.ClientBase): Guard {
  const { connection } = client as unknown as Connected
  const { stream } = connection
  const guard = new Guard()
  connection.on('readyForQuery', () => guard.reset())
  for (const read of stream.listeners('data') as ((chunk: Buffer) => void)[]) {
    stream.off('data', read)
    stream.on('data', (chunk: Buffer) => {
      try {
        guard.add(chunk.length)
        read(chunk)
      } catch (error) {
        stream.destroy(error as Error)
      }
    })
  }
  return guard
}

export class Guard {
  #bytes = 0

  add(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes > MOST_BYTES) throw new TooLarge(`a statement has answered more than ${MOST_BYTES} bytes`)
  }

  /** What has come so far is done with. */
  reset(): void {
    this.#bytes = 0
  }
}
