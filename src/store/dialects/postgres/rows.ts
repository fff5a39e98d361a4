// The rows of a statement as they come. Nothing is read ahead of who takes them, however large they are: while enough
// of them wait to be taken, the socket is not read.
import pg from 'pg'
import type { Connected } from './sessions/guard-session.ts'
import type { Session } from './sessions/session.ts'

export type Row = string[]

/** In characters. */
const MOST_WAITING = 1024 * 1024

export class Rows {
  readonly #stream: Connected['connection']['stream']
  #waiting: Row[] = []
  #untaken = 0
  #isDone = false
  #wake: () => void = () => {}
  /** In characters, of all rows. */
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

  /** As many as have come, one at least; nothing behind the last. */
  async next(): Promise<readonly Row[] | undefined> {
    while (this.#waiting.length === 0 && !this.#isDone) {
      await new Promise<void>((wake) => {
        this.#wake = wake
      })
    }
    const rows = this.#waiting
    this.#waiting = []
    this.#untaken = 0
    this.#stream.resume()
    return rows.length === 0 ? undefined : rows
  }

  #add(row: Row): void {
    const length = row.reduce((sum, cell) => sum + String(cell).length, 0)
    this.length += length
    this.#untaken += length
    this.#waiting.push(row)
    if (this.#untaken > MOST_WAITING) this.#stream.pause()
    this.#wake()
  }
}
