// Cancels the statement of a query in the database when its caller no longer waits for the answer.

import type pg from 'pg'
import { queryAbandoned } from '../../../store-fault.ts'
import type { Session } from './session.ts'

export class QueryCanceller {
  readonly #pool: pg.Pool
  #isAbandoned = false
  #session: Session | undefined
  #cancelling: Promise<unknown> | undefined

  /**
   * `pool` has other sessions, which send the cancellation. `onAbandoned` registers what to do when the caller is gone.
   */
  constructor(pool: pg.Pool, onAbandoned: (stop: () => void) => void) {
    this.#pool = pool
    onAbandoned(() => {
      this.#isAbandoned = true
      if (this.#session) this.#cancelling = this.#cancel(this.#session).catch(() => {})
    })
  }

  /**
   * Runs a statement for as long as the caller waits. Resolves only when no late cancellation can reach the session's
   * next statement.
   */
  async run<T>(session: Session, statement: () => Promise<T>): Promise<T> {
    if (this.#isAbandoned) throw queryAbandoned()
    this.#session = session
    try {
      return await statement()
    } catch (error) {
      throw this.#isAbandoned ? queryAbandoned(error) : error
    } finally {
      this.#session = undefined
      await this.#cancelling
    }
  }

  async #cancel(session: Session): Promise<void> {
    await this.#pool.query({ text: 'select pg_cancel_backend($1::integer)', values: [await session.backendId] })
  }
}
