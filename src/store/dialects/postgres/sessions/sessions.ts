// The sessions of the pool, shared out by company and client: nobody waits longer for one than makes sense, and no
// company has all of them.
import type pg from 'pg'
import type { Flow } from '../../../../base/concurrency/fair-queue.ts'
import { FairSemaphore, type Release } from '../../../../base/concurrency/fair-semaphore.ts'
import { ServiceTime } from '../../../../base/concurrency/service-time.ts'
import { sessionsBusy } from '../faults.ts'
import type { Session } from './session.ts'

const PATIENCE_MS = 2_000
const MOST_WAITING = 1_000
/** Who would wait longer for a session, as far as can be seen, is told at once. */
const MOST_WAIT_MS = 500
/** A burst of so many is borne whatever the pace: a few slow steps, such as those of new sessions, say little. */
const ALWAYS_BORNE = 100

export class Sessions {
  readonly #pool: pg.Pool
  readonly #places: FairSemaphore
  readonly #held = new WeakMap<pg.PoolClient, Release>()
  readonly #pace = new ServiceTime()
  #movedAt: number | undefined

  constructor(pool: pg.Pool) {
    this.#pool = pool
    const { max } = pool.options
    this.#places = new FairSemaphore({
      permits: max,
      maxPerGroup: max - 1,
      maxPerMember: max - 2,
      maxWaiting: MOST_WAITING,
      timeoutMs: PATIENCE_MS,
      rejection: () => sessionsBusy(),
    })
    pool.on('release', (_error, session) => this.#giveBack(session))
  }

  get waiting(): number {
    return this.#places.waiting
  }

  /**
   * A session for one caller among others, until it is released. Throws a Problem (503) when that would take too long.
   */
  async connect(flow: Flow): Promise<Session> {
    const ahead = this.#places.ahead(flow)
    if (ahead > ALWAYS_BORNE && this.#pace.expectedWaitMs(ahead) > MOST_WAIT_MS) throw sessionsBusy()
    const release = await this.#places.acquire(flow)
    try {
      const session = await this.#pool.connect()
      this.#held.set(session, release)
      return session as Session
    } catch (error) {
      release()
      throw error
    }
  }

  #giveBack(session: pg.PoolClient): void {
    this.#learnPace()
    this.#held.get(session)?.()
    this.#held.delete(session)
  }

  /** When somebody waits for the session, and did so before, the line has moved on by one. */
  #learnPace(): void {
    const now = performance.now()
    if (this.waiting === 0) {
      this.#movedAt = undefined
      return
    }
    if (this.#movedAt !== undefined) this.#pace.record(1, now - this.#movedAt)
    this.#movedAt = now
  }
}
