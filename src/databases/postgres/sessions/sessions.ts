// Distributes the sessions of the pool fairly by company and client: waits are bounded, and no company gets all
// sessions.
import type pg from 'pg'
import { AdmissionQueue, type Release } from '../../../base/concurrency/admission-queue.ts'
import type { Flow } from '../../../base/concurrency/fair-queue.ts'
import { sessionsBusy } from './faults.ts'
import type { Session } from './session.ts'

/** A burst is served; the wait for a lock ends later, after 5 s. */
const MAX_WAIT_MS = 3_000
const MAX_WAITING = 1_000

export class Sessions {
  readonly queue: AdmissionQueue
  readonly #pool: pg.Pool
  readonly #releases = new WeakMap<pg.PoolClient, Release>()

  constructor(pool: pg.Pool) {
    this.#pool = pool
    const { max } = pool.options
    this.queue = new AdmissionQueue({
      inFlight: max,
      maxPerGroup: max - 1,
      maxPerMember: max - 2,
      waiting: MAX_WAITING,
      maxWaitMs: MAX_WAIT_MS,
      refusal: () => sessionsBusy(),
    })
    pool.on('release', (_error, session) => {
      this.#releases.get(session)?.()
      this.#releases.delete(session)
    })
  }

  /** Returns a session, which the caller releases. Throws a Problem (503) when the wait would be too long. */
  async connect(flow: Flow): Promise<Session> {
    const release = await this.queue.acquire(flow)
    try {
      const session = await this.#pool.connect()
      this.#releases.set(session, release)
      return session as Session
    } catch (error) {
      release()
      throw error
    }
  }
}
