// Cancels the statement of a query in the database when its caller no longer waits for the answer.

import type pg from 'pg'
import { queryAbandoned } from '../../../store/store-fault.ts'
import type { Session } from './session.ts'

export class QueryCanceller {
  readonly #pool: pg.Pool
  #isAbandoned = false
  #session: Session | undefined
  /** Set once a cancellation is sent. */
  #cancelling: Promise<unknown> | undefined

  /**
   * `pool` has other sessions, which send the cancellation. `onAbandoned` registers what to do when the caller is gone.
   */
  constructor(pool: pg.Pool, onAbandoned: (stop: () => void) => void) {
    this.#pool = pool
    onAbandoned(() => {
      this.#isAbandoned = true
      // Without a cancellation the statement ends by its time limit.
      if (this.#session) this.#cancel(this.#session).catch(() => {})
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

  /**
   * A pooler may have no session of the database left for it until that of the statement is given back. So it takes one
   * by a transaction first, and the end of the statement waits for nothing that has not come so far.
   */
  async #cancel(session: Session): Promise<void> {
    const values = [await session.backendId]
    const canceller = await this.#pool.connect()
    let isSound = false
    try {
      await canceller.query('begin')
      if (this.#session === session) {
        const cancelled = canceller.query({ text: 'select pg_cancel_backend($1::integer)', values })
        this.#cancelling = cancelled.catch(() => {})
        await cancelled
      }
      await canceller.query('commit')
      isSound = true
    } finally {
      canceller.release(!isSound)
    }
  }
}
