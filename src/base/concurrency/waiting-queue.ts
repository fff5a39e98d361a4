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
  readonly flow: Flow
  readonly item: T
  readonly since: number
}

export class WaitingQueue<T extends Waiter> {
  readonly #settings: WaitingSettings
  readonly #queue: FairQueue<Entry<T>>
  #refused = 0
  #admitted = 0
  #waitedSeconds = 0
  /** One for all that wait: each that waited would pay for one of its own. */
  #timer: NodeJS.Timeout | undefined

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
    const entry = { flow, item, since: performance.now() }
    const dropped = this.#queue.push(flow, entry)
    if (dropped) this.#refuse(dropped, false)
    this.#setTimer()
    return () => {
      if (this.#queue.remove(flow, entry)) item.failed(this.#settings.refusal(true))
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
    for (let entry = this.#queue.shift(); entry; entry = this.#queue.shift()) entry.item.failed(reason)
  }

  #setTimer(): void {
    const { maxWaitMs } = this.#settings
    if (maxWaitMs === undefined || this.#timer || this.length === 0) return
    // The first of each member has waited longest of its own.
    const oldest = Math.min(...this.#queue.heads().map(({ since }) => since))
    // The busy loop may be late already, and Node.js warns of a negative time.
    const leftMs = Math.max(0, oldest + maxWaitMs - performance.now())
    this.#timer = setTimeout(() => this.#expire(maxWaitMs), leftMs).unref()
  }

  #expire(maxWaitMs: number): void {
    this.#timer = undefined
    const before = performance.now() - maxWaitMs
    const findLate = () => this.#queue.heads().find(({ since }) => since <= before)
    for (let late = findLate(); late; late = findLate()) {
      this.#queue.remove(late.flow, late)
      this.#refuse(late, true)
    }
    this.#setTimer()
  }

  #refuse({ item }: Entry<T>, hasWaited: boolean): void {
    this.#refused++
    item.failed(this.#settings.refusal(hasWaited))
  }
}
