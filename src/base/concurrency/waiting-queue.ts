// Where requests wait for something scarce: in a bounded fair queue, and for a limited time. Who finds no place in it,
// or waits too long, is refused.
import { FairQueue, type Flow, type UsedTime } from './fair-queue.ts'

export interface WaitingSettings {
  /** How many requests may wait. */
  readonly waiting: number
  /** How long a request may wait; absent: without limit. */
  readonly maxWaitMs?: number | undefined
  /** Makes the error for a request that is refused: one that has waited too long, or one that finds no place. */
  refusal(hasWaited: boolean): Error
}

/** How a queue does: what runs and waits now; since the start, how many were refused, and admitted after which wait. */
export interface QueueFigures {
  readonly running: number
  readonly waiting: number
  readonly refused: number
  readonly admitted: number
  readonly waitedSeconds: number
}

/** What waits. */
export interface Waiter {
  failed(reason: Error): void
}

interface Entry<T> {
  readonly item: T
  readonly since: number
  readonly timer: NodeJS.Timeout | undefined
}

export class WaitingQueue<T extends Waiter> {
  readonly #settings: WaitingSettings
  readonly #queue: FairQueue<Entry<T>>
  #refused = 0
  #admitted = 0
  #waitedSeconds = 0

  /** `used`: see `FairQueue`. */
  constructor(settings: WaitingSettings, used?: UsedTime) {
    this.#settings = settings
    this.#queue = new FairQueue(settings.waiting, used)
  }

  get length(): number {
    return this.#queue.length
  }

  get figures(): QueueFigures {
    const [refused, admitted, waitedSeconds] = [this.#refused, this.#admitted, this.#waitedSeconds]
    return { running: 0, waiting: this.length, refused, admitted, waitedSeconds }
  }

  /** If the queue is full, the newest item of the flow with the most is refused. Returns how the item leaves early. */
  push(flow: Flow, item: T): () => void {
    const since = performance.now()
    const { maxWaitMs } = this.#settings
    const expire = () => {
      if (this.#queue.remove(flow, entry)) this.#refuse(entry, true)
    }
    const timer = maxWaitMs === undefined ? undefined : setTimeout(expire, maxWaitMs)
    const entry = { item, since, timer }
    const dropped = this.#queue.push(flow, entry)
    if (dropped) this.#refuse(dropped, false)
    return () => {
      if (this.#queue.remove(flow, entry)) this.#fail(entry, this.#settings.refusal(true))
    }
  }

  /** Counts a request that did not need to wait. */
  admittedAtOnce(): void {
    this.#admitted++
  }

  /** Counts a request that may not wait, and makes its error. */
  refused(): Error {
    this.#refused++
    return this.#settings.refusal(false)
  }

  /** Admits the item whose turn it is, skipping those that are not eligible now. */
  shift(isEligible: (head: T) => boolean = () => true): T | undefined {
    const entry = this.#queue.shift(({ item }) => isEligible(item))
    if (!entry) return undefined
    clearTimeout(entry.timer)
    this.#admitted++
    this.#waitedSeconds += (performance.now() - entry.since) / 1000
    return entry.item
  }

  /** Admits so many items, each in its turn, or all that there are. */
  take(most: number): T[] {
    const taken: T[] = []
    while (taken.length < most && this.length > 0) taken.push(this.shift() as T)
    return taken
  }

  /** The first item of each member. */
  *heads(): Generator<T, void, void> {
    for (const { item } of this.#queue.heads()) yield item
  }

  /** Fails all that wait. */
  close(reason: Error): void {
    for (let entry = this.#queue.shift(); entry; entry = this.#queue.shift()) this.#fail(entry, reason)
  }

  #refuse(entry: Entry<T>, hasWaited: boolean): void {
    this.#refused++
    this.#fail(entry, this.#settings.refusal(hasWaited))
  }

  #fail({ item, timer }: Entry<T>, reason: Error): void {
    clearTimeout(timer)
    item.failed(reason)
  }
}
