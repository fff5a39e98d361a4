// The rows of a statement as they arrive, with backpressure: while enough rows wait to be consumed, the socket is
// paused.
import pg from 'pg'
import type { Connected } from './sessions/guard-session.ts'
import type { Session } from './sessions/session.ts'

export type Row = string[]

/** The maximum length of waiting rows, in characters. */
const MAX_WAITING = 1024 * 1024

export class Rows {
  readonly #stream: Connected['connection']['stream']
  #waiting: Row[] = []
  #waitingLength = 0
  #isDone = false
  #wake: () => void = () => {}
  /** The length of all rows so far, in characters. */
  length = 0
  /** Resolves at the end; rejects when the statement fails. */
  readonly ended: Promise<void>

  constructor(session: Session, text: string) {
    this.#stream = (session as unknown as Connected).connection.stream
    const query = new pg.Query({ text, rowMode: 'array' } as pg.QueryConfig)
    query.on('row', (row: unknown) => {
      session.guard?.reset()
      this.#add(row as Row)
    })
    this.ended = new Promise((resolve, reject) => {
      query.on('end', () => resolve())
      query.on('error', reject)
    })
    const done = () => {
      this.#isDone = true
      this.#wake()
    }
    this.ended.then(done, done)
    session.query(query)
  }

  /** Returns the rows that have arrived, at least one; undefined after the last. */
  async next(): Promise<readonly Row[] | undefined> {
    while (this.#waiting.length === 0 && !this.#isDone) {
      await new Promise<void>((wake) => {
        this.#wake = wake
      })
    }
    const rows = this.#waiting
    this.#waiting = []
    this.#waitingLength = 0
    this.#stream.resume()
    return rows.length === 0 ? undefined : rows
  }

  #add(row: Row): void {
    const length = row.reduce((sum, cell) => sum + String(cell).length, 0)
    this.length += length
    this.#waitingLength += length
    this.#waiting.push(row)
    if (this.#waitingLength > MAX_WAITING) this.#stream.pause()
    this.#wake()
  }
}
