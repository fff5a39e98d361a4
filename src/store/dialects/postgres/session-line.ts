// The line of those who wait for a session of the pool: nobody is left in it longer than makes sense.
import type pg from 'pg'
import { Pace } from '../../../base/pace.ts'

/** Who would wait longer for a session, as far as can be seen, is told at once. */
const MOST_WAIT_MS = 1_500

export class SessionLine {
  readonly #pool: pg.Pool
  readonly #pace = new Pace()
  #movedAt: number | undefined

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  get isTooLong(): boolean {
    return this.#pace.waitMs(this.#pool.waitingCount) > MOST_WAIT_MS
  }

  /** A session comes free: when somebody waits for it, and did so before, the line has moved on by one. */
  move(): void {
    const now = performance.now()
    if (this.#pool.waitingCount === 0) {
      this.#movedAt = undefined
      return
    }
    if (this.#movedAt !== undefined) this.#pace.moved(1, now - this.#movedAt)
    this.#movedAt = now
  }
}
