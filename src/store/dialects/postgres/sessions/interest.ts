// Whether somebody still waits for an answer: when nobody does, what the database does for it is ended.
import type pg from 'pg'
import { abandoned } from '../../../store-fault.ts'
import type { Session } from './session.ts'

export class Interest {
  readonly #pool: pg.Pool
  #isLost = false
  #session: Session | undefined
  #ending: Promise<unknown> | undefined

  /** `pool`: other sessions, to end a statement by. `onAbandoned` is told what to do when nobody waits any more. */
  constructor(pool: pg.Pool, onAbandoned: (stop: () => void) => void) {
    this.#pool = pool
    onAbandoned(() => this.#lose())
  }

  /**
   * Runs a statement for as long as somebody waits. It is over when no late cancel can reach the session's next
   * statement.
   */
  async during<T>(session: Session, statement: () => Promise<T>): Promise<T> {
    if (this.#isLost) throw abandoned()
    this.#session = session
    try {
      return await statement()
    } catch (error) {
      throw this.#isLost ? abandoned(error) : error
    } finally {
      this.#session = undefined
      await this.#ending
    }
  }

  #lose(): void {
    this.#isLost = true
    if (!this.#session) return
    const cancel = { text: 'select pg_cancel_backend($1)', values: [this.#session.backendId] }
    this.#ending = this.#pool.query(cancel).catch(() => {})
  }
}
