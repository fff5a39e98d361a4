// A counting semaphore whose permits (slots or bytes) are shared fairly among flows: a request that finds too few
// permits waits in a fair queue.
import { FairQueue, type Flow, flowKey } from './fair-queue.ts'

export interface SemaphoreSettings {
  /** The total number of permits. */
  readonly permits: number
  /** The share of one group, and of one member of a group; absent: all. */
  readonly maxPerGroup?: number
  readonly maxPerMember?: number
  /** How many requests may wait. */
  readonly maxWaiting: number
  /** How long a request may wait; absent: without limit. */
  readonly timeoutMs?: number
  /** Makes the error for a request that the queue drops or that times out. */
  rejection(): Error
}

/** Releases the permits; a second call does nothing. */
export type Release = () => void

/** Registers a listener that is called when the requester has gone. */
export type OnAbandoned = (listener: () => void) => void

interface Waiting {
  readonly flow: Flow
  readonly amount: number
  grant(release: Release): void
  reject(reason: Error): void
}

export class FairSemaphore {
  readonly #settings: SemaphoreSettings
  readonly #queue: FairQueue<Waiting>
  #used = 0
  readonly #usedBy = new Map<string, number>()
  #closed: Error | undefined

  constructor(settings: SemaphoreSettings) {
    this.#settings = settings
    this.#queue = new FairQueue(settings.maxWaiting)
  }

  get used(): number {
    return this.#used
  }

  get waiting(): number {
    return this.#queue.length
  }

  /** The permits that the flow holds. */
  usedBy(flow: Flow): number {
    return this.#usedBy.get(flowKey(flow)) ?? 0
  }

  /** An estimate of how many requests would be served before a further one of the flow. */
  ahead(flow: Flow): number {
    return this.#queue.ahead(flow)
  }

  /** Whether another flow, which is within its own share, waits for permits that this flow holds. */
  isBlockingOthers({ group, member }: Flow): boolean {
    for (const { flow, amount } of this.#queue.heads()) {
      const isOther = flow.group !== group || flow.member !== member
      const isBlocked = !this.#fits(amount) || (flow.group === group && !this.#isWithinShareOfGroup(flow, amount))
      if (isOther && isBlocked && this.#isWithinShareOfMember(flow, amount)) return true
    }
    return false
  }

  /** Acquires the permits now or in turn. Rejects if the queue is full or the wait times out. */
  acquire(flow: Flow, amount = 1, onAbandoned: OnAbandoned = () => {}): Promise<Release> {
    if (this.#closed) return Promise.reject(this.#closed)
    if (this.waiting === 0 && this.#isWithinShare(flow, amount) && this.#fits(amount)) {
      return Promise.resolve(this.#grant(flow, amount))
    }
    return new Promise((resolve, reject) => this.#wait({ flow, amount, grant: resolve, reject }, onAbandoned))
  }

  /** Rejects all waiting and future requests. */
  close(reason: Error): void {
    this.#closed = reason
    for (let waiting = this.#queue.shift(); waiting; waiting = this.#queue.shift()) waiting.reject(reason)
  }

  #wait(request: Waiting, onAbandoned: OnAbandoned): void {
    const { timeoutMs, rejection } = this.#settings
    const leave = () => {
      if (this.#queue.remove(request.flow, waiting)) waiting.reject(rejection())
    }
    const timer = timeoutMs === undefined ? undefined : setTimeout(leave, timeoutMs)
    const waiting: Waiting = {
      ...request,
      grant: (release) => {
        clearTimeout(timer)
        request.grant(release)
      },
      reject: (reason) => {
        clearTimeout(timer)
        request.reject(reason)
      },
    }
    this.#queue.push(request.flow, waiting)?.reject(rejection())
    onAbandoned(leave)
    // There may be free permits: all requests ahead may be waiting for their own shares.
    this.#serve()
  }

  #fits(amount: number): boolean {
    return this.#used + amount <= this.#settings.permits
  }

  #isWithinShare(flow: Flow, amount: number): boolean {
    return this.#isWithinShareOfGroup(flow, amount) && this.#isWithinShareOfMember(flow, amount)
  }

  #isWithinShareOfGroup({ group }: Flow, amount: number): boolean {
    const { permits, maxPerGroup = permits } = this.#settings
    return (this.#usedBy.get(group) ?? 0) + amount <= maxPerGroup
  }

  #isWithinShareOfMember(flow: Flow, amount: number): boolean {
    const { permits, maxPerMember = permits } = this.#settings
    return this.usedBy(flow) + amount <= maxPerMember
  }

  #grant(flow: Flow, amount: number): Release {
    this.#count(flow, amount)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#count(flow, -amount)
      this.#serve()
    }
  }

  #serve(): void {
    for (;;) {
      let isBlocked = false
      const next = this.#queue.shift(({ flow, amount }) => {
        if (isBlocked || !this.#isWithinShare(flow, amount)) return false
        // A smaller request must not overtake a larger one, which would starve.
        isBlocked = !this.#fits(amount)
        return !isBlocked
      })
      if (!next) return
      next.grant(this.#grant(next.flow, next.amount))
    }
  }

  #count(flow: Flow, amount: number): void {
    this.#used += amount
    for (const name of [flow.group, flowKey(flow)]) {
      const used = (this.#usedBy.get(name) ?? 0) + amount
      if (used > 0) this.#usedBy.set(name, used)
      else this.#usedBy.delete(name)
    }
  }
}
