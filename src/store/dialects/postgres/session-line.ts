// The line of those who wait for a session of the pool: nobody is left in it longer than makes sense.
import type pg from 'pg'
import { Pace } from '../../../base/pace.ts'

/** Who would wait longer for a session, as far as can be seen, is told at once. */
const MOST_WAIT_MS = 500
/** A burst of so many is borne whatever the pace: a few slow steps, such as those of new sessions, say little. */
const ALWAYS_BORNE = 100

export class SessionLine {
  readonly #pool: pg.Pool
  readonly #pace = new Pace()
  #movedAt: number | undefined

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  get isTooLong(): boolean {
    const { waitingCount, totalCount, idleCount, options } = this.#pool
    // The pool hands out what is free in its next turn, to those who have come meanwhile.
    const waiting = waitingCount - (options.max - (totalCount - idleCount))
    return waiting > ALWAYS_BORNE && this.#pace.waitMs(waiting) > MOST_WAIT_MS
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
