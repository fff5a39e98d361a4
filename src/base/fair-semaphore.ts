// Bounds what is used at once, whether places or bytes, and shares it out by flows: who finds it used up waits in a fair queue.
import { FairQueue, type Flow, flowKey } from './fair-queue.ts'

export interface SemaphoreSettings {
  /** What there is to use. */
  readonly permits: number
  /** What one group may use of it, and one member of a group; absent: all. */
  readonly mostOfGroup?: number
  readonly mostOfMember?: number
  /** How many may wait. */
  readonly waiting: number
  /** How long; absent: as long as it takes. */
  readonly patienceMs?: number
  /** What is thrown at one for whom there is no room, or not in time. */
  refusal(): Error
}

/** Gives back what was taken; a second time it does nothing. */
export type Release = () => void

/** Tells when nobody waits for it any more. */
export type OnAbandoned = (stop: () => void) => void

interface Waiting {
  readonly flow: Flow
  readonly amount: number
  take(release: Release): void
  drop(reason: Error): void
}

export class FairSemaphore {
  readonly #settings: SemaphoreSettings
  readonly #queue: FairQueue<Waiting>
  #used = 0
  readonly #usedBy = new Map<string, number>()
  #closed: Error | undefined

  constructor(settings: SemaphoreSettings) {
    this.#settings = settings
    this.#queue = new FairQueue(settings.waiting)
  }

  get used(): number {
    return this.#used
  }

  get waiting(): number {
    return this.#queue.length
  }

  /** What of it the member of a group uses. */
  usedBy(flow: Flow): number {
    return this.#usedBy.get(flowKey(flow)) ?? 0
  }

  /** How many would be served before a further one of the flow. */
  ahead(flow: Flow): number {
    return this.#queue.ahead(flow)
  }

  /** Whether somebody else waits for what this flow uses, and not for more than a share of his own. */
  holdsUp({ group, member }: Flow): boolean {
    for (const { flow, amount } of this.#queue.heads()) {
      const isOther = flow.group !== group || flow.member !== member
      const isInItsWay = !this.#fits(amount) || (flow.group === group && !this.#isWithinShareOfGroup(flow, amount))
      if (isOther && isInItsWay && this.#isWithinShareOfMember(flow, amount)) return true
    }
    return false
  }

  /** Takes so much now or in its turn. Rejects when there is no room to wait, or no turn in time. */
  acquire(flow: Flow, amount = 1, onAbandoned: OnAbandoned = () => {}): Promise<Release> {
    if (this.#closed) return Promise.reject(this.#closed)
    if (this.waiting === 0 && this.#isWithinShare(flow, amount) && this.#fits(amount)) {
      return Promise.resolve(this.#take(flow, amount))
    }
    return new Promise((resolve, reject) => this.#wait({ flow, amount, take: resolve, drop: reject }, onAbandoned))
  }

  /** Refuses all who wait, and all who come. */
  close(reason: Error): void {
    this.#closed = reason
    for (let waiting = this.#queue.shift(); waiting; waiting = this.#queue.shift()) waiting.drop(reason)
  }

  #wait(given: Waiting, onAbandoned: OnAbandoned): void {
    const { patienceMs, refusal } = this.#settings
    const leave = () => {
      if (this.#queue.remove(given.flow, waiting)) waiting.drop(refusal())
    }
    const timer = patienceMs === undefined ? undefined : setTimeout(leave, patienceMs)
    const waiting: Waiting = {
      ...given,
      take: (release) => {
        clearTimeout(timer)
        given.take(release)
      },
      drop: (reason) => {
        clearTimeout(timer)
        given.drop(reason)
      },
    }
    this.#queue.push(given.flow, waiting)?.drop(refusal())
    onAbandoned(leave)
    // The others may all be held up by their own shares.
    this.#serve()
  }

  #fits(amount: number): boolean {
    return this.#used + amount <= this.#settings.permits
  }

  #isWithinShare(flow: Flow, amount: number): boolean {
    return this.#isWithinShareOfGroup(flow, amount) && this.#isWithinShareOfMember(flow, amount)
  }

  #isWithinShareOfGroup({ group }: Flow, amount: number): boolean {
    const { permits, mostOfGroup = permits } = this.#settings
    return (this.#usedBy.get(group) ?? 0) + amount <= mostOfGroup
  }

  #isWithinShareOfMember(flow: Flow, amount: number): boolean {
    const { permits, mostOfMember = permits } = this.#settings
    return this.usedBy(flow) + amount <= mostOfMember
  }

  #take(flow: Flow, amount: number): Release {
    this.#count(flow, amount)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      this.#count(flow, -amount)
      this.#serve()
    }
  }

  #serve(): void {
    for (;;) {
      let isBlocked = false
      const next = this.#queue.shift(({ flow, amount }) => {
        if (isBlocked || !this.#isWithinShare(flow, amount)) return false
        // Those who ask for less do not pass by one who asks for more.
        isBlocked = !this.#fits(amount)
        return !isBlocked
      })
      if (!next) return
      next.take(this.#take(next.flow, next.amount))
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
