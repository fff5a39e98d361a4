// Distributes the sessions of the pool fairly by company and client: waits are bounded, and no company gets all
// sessions.
import type pg from 'pg'
import type { Flow } from '../../../../base/concurrency/fair-queue.ts'
import { FairSemaphore, type Release } from '../../../../base/concurrency/fair-semaphore.ts'
import { ServiceTime } from '../../../../base/concurrency/service-time.ts'
import { sessionsBusy } from '../faults.ts'
import type { Session } from './session.ts'

const ACQUIRE_TIMEOUT_MS = 2_000
const MAX_WAITING = 1_000
/** A caller whose expected wait exceeds this is rejected immediately. */
const MAX_WAIT_MS = 500
/**
 * A burst of this size is accepted at any service time: a few slow samples, such as those of new sessions, are not
 * significant.
 */
const ALWAYS_ACCEPTED = 100

export class Sessions {
  readonly #pool: pg.Pool
  readonly #permits: FairSemaphore
  readonly #releases = new WeakMap<pg.PoolClient, Release>()
  readonly #serviceTime = new ServiceTime()
  #movedAt: number | undefined

  constructor(pool: pg.Pool) {
    this.#pool = pool
    const { max } = pool.options
    this.#permits = new FairSemaphore({
      permits: max,
      maxPerGroup: max - 1,
      maxPerMember: max - 2,
      maxWaiting: MAX_WAITING,
      timeoutMs: ACQUIRE_TIMEOUT_MS,
      rejection: () => sessionsBusy(),
    })
    pool.on('release', (_error, session) => this.#release(session))
  }

  get waiting(): number {
    return this.#permits.waiting
  }

  /** Returns a session, which the caller releases. Throws a Problem (503) when the wait would be too long. */
  async connect(flow: Flow): Promise<Session> {
    const ahead = this.#permits.ahead(flow)
    if (ahead > ALWAYS_ACCEPTED && this.#serviceTime.expectedWaitMs(ahead) > MAX_WAIT_MS) throw sessionsBusy()
    const release = await this.#permits.acquire(flow)
    try {
      const session = await this.#pool.connect()
      this.#releases.set(session, release)
      return session as Session
    } catch (error) {
      release()
      throw error
    }
  }

  #release(session: pg.PoolClient): void {
    this.#recordServiceTime()
    this.#releases.get(session)?.()
    this.#releases.delete(session)
  }

  /** While callers keep waiting, the queue advances by one with each released session, which gives the service time. */
  #recordServiceTime(): void {
    const now = performance.now()
    if (this.waiting === 0) {
      this.#movedAt = undefined
      return
    }
    if (this.#movedAt !== undefined) this.#serviceTime.record(1, now - this.#movedAt)
    this.#movedAt = now
  }
}
