// Looks again and again how far a replica is behind. Reads go to it only while it follows closely.
import type { Observe } from '../observe/observation.ts'
import type { Store } from './store.ts'

/** A place in the log that a database replays: it grows with every commit. */
export type ReplayPlace = number

/** A database that follows the one that is written to, as its driver opens it. */
export interface Replica {
  /** For reads alone. */
  readonly store: Store
  /** Where the database is that is written to. Rejects while it does not answer. */
  placeOfPrimary(): Promise<ReplayPlace>
  /** Up to where the replica has followed. Rejects while it does not answer, and when it is none of this database. */
  placeOfReplica(): Promise<ReplayPlace>
  close(): Promise<void>
}

const EVERY_MS = 1_000
/** Without an answer by then it does not follow. */
const LOOK_MS = 2_000
/** What is read may be so old; a client that needs more says so with `Min-Change`. */
const MOST_BEHIND_MS = 10_000
/** A replica that is behind for long has every second place forgotten. */
const MOST_PLACES = 128

type Watched = Pick<Replica, 'placeOfPrimary' | 'placeOfReplica'>

interface PassedPlace {
  readonly place: ReplayPlace
  /** When the primary was there. */
  readonly at: number
}

export class ReplicaWatch {
  readonly #replica: Watched
  readonly #observe: Observe
  readonly #now: () => number
  /** The last place that the replica has reached, then those that it has not. */
  #places: readonly PassedPlace[] = []
  #behindMs = Number.POSITIVE_INFINITY
  #isDoubted = false
  #isTold = true
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(replica: Watched, observe: Observe, now: () => number = () => performance.now()) {
    this.#replica = replica
    this.#observe = observe
    this.#now = now
  }

  /** How old at most what it has is; `Infinity` while that is not known. */
  get behindMs(): number {
    return this.#behindMs
  }

  get isUsable(): boolean {
    return !this.#isDoubted && this.#behindMs <= MOST_BEHIND_MS
  }

  /** Called when it has failed: it is not used until it is looked at again. */
  doubt(): void {
    this.#isDoubted = true
  }

  /** Looks once, and from then on every second. */
  async start(): Promise<void> {
    await this.look()
    if (this.#isStopped) return
    this.#timer = setTimeout(() => void this.start(), EVERY_MS)
    this.#timer.unref()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  /** Never rejects. */
  async look(): Promise<void> {
    try {
      this.#behindMs = await withinTime(this.#measure())
      this.#isDoubted = false
      this.#tell(this.isUsable ? undefined : 'it is too far behind')
    } catch (error) {
      this.#behindMs = Number.POSITIVE_INFINITY
      this.#tell((error as Error).message)
    }
  }

  async #measure(): Promise<number> {
    const at = this.#now()
    const passed = [...this.#places, { place: await this.#replica.placeOfPrimary(), at }]
    const reached = await this.#replica.placeOfReplica()
    const last = passed.findLastIndex(({ place }) => place <= reached)
    this.#places = thinned(passed.slice(Math.max(0, last)))
    if (last === passed.length - 1) return 0
    return last < 0 ? Number.POSITIVE_INFINITY : this.#now() - (passed[last]?.at ?? 0)
  }

  /** Once for each change. */
  #tell(reason: string | undefined): void {
    const isUsable = reason === undefined
    if (isUsable !== this.#isTold) this.#observe(isUsable ? { kind: 'replica-used' } : { kind: 'replica-left', reason })
    this.#isTold = isUsable
  }
}

function thinned(places: readonly PassedPlace[]): readonly PassedPlace[] {
  return places.length < MOST_PLACES ? places : places.filter((_place, index) => index % 2 === 0)
}

async function withinTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`it does not answer within ${LOOK_MS / 1000} s`)), LOOK_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
