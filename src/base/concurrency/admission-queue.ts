// Admission to what is scarce, such as slots or bytes: so much is in use at once, shared fairly among companies and
// their clients. A request that finds too little waits in its turn.
import { getOrInsert } from '../memo.ts'
import { type Flow, UsedTime } from './fair-queue.ts'
import { type QueueFigures, type Waiter, WaitingQueue, type WaitingSettings } from './waiting-queue.ts'

export interface AdmissionSettings extends WaitingSettings {
  /** The number of slots or bytes in use at once. */
  readonly inFlight: number
  /** The share of one group, and of one member of a group; absent: all. */
  readonly maxPerGroup?: number
  readonly maxPerMember?: number
  /** The group that has used the least time goes first, rather than each in its turn. */
  readonly isByTime?: boolean
}

/** Gives back what was admitted; a second call does nothing. */
export type Release = () => void

/** Registers a listener that is called when the requester has gone. */
export type OnAbandoned = (listener: () => void) => void

interface Request extends Waiter {
  readonly flow: Flow
  readonly amount: number
  granted(release: Release): void
}

/** What the members of a group use; none of them uses nothing. */
interface GroupUse {
  used: number
  readonly byMember: Map<string, number>
}

export class AdmissionQueue {
  readonly #settings: AdmissionSettings
  readonly #queue: WaitingQueue<Request>
  #used = 0
  readonly #usedBy = new Map<string, GroupUse>()
  readonly #usedTime = new UsedTime()
  #closed: Error | undefined

  constructor(settings: AdmissionSettings) {
    this.#settings = settings
    this.#queue = new WaitingQueue(settings, settings.isByTime ? this.#usedTime : undefined)
  }

  /** The slots or bytes in use. */
  get used(): number {
    return this.#used
  }

  get waiting(): number {
    return this.#queue.length
  }

  get figures(): QueueFigures {
    return { ...this.#queue.figures, running: this.#used }
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

  /** Admits a request now or in its turn. Rejects if it is refused, or leaves because it was abandoned. */
  acquire(flow: Flow, amount = 1, onAbandoned: OnAbandoned = () => {}): Promise<Release> {
    if (this.#closed) return Promise.reject(this.#closed)
    if (this.#hasRoom(flow, amount)) return Promise.resolve(this.acquireNow(flow, amount))
    return new Promise((granted, failed) => {
      onAbandoned(this.#queue.push(flow, { flow, amount, granted, failed }))
      // Something may be free: all requests ahead may be waiting for their own shares.
      this.#serve()
    })
  }

  /** Does work when it is admitted, as `acquire` says. */
  async run<Done>(flow: Flow, amount: number, work: () => Promise<Done>, onAbandoned?: OnAbandoned): Promise<Done> {
    const release = await this.acquire(flow, amount, onAbandoned)
    try {
      return await work()
    } finally {
      release()
    }
  }

  /** Admits a request that does not wait. Throws if it is refused. */
  acquireNow(flow: Flow, amount = 1): Release {
    if (!this.#hasRoom(flow, amount)) throw this.#queue.refused()
    this.#queue.admittedAtOnce()
    return this.#grant(flow, amount)
  }

  /** Rejects all waiting and future requests. */
  close(reason: Error): void {
    this.#closed = reason
    this.#queue.close(reason)
  }

  #hasRoom(flow: Flow, amount: number): boolean {
    return this.waiting === 0 && this.#isWithinShare(flow, amount) && this.#fits(amount)
  }

  #fits(amount: number): boolean {
    return this.#used + amount <= this.#settings.inFlight
  }

  #isWithinShare(flow: Flow, amount: number): boolean {
    return this.#isWithinShareOfGroup(flow, amount) && this.#isWithinShareOfMember(flow, amount)
  }

  #isWithinShareOfGroup({ group }: Flow, amount: number): boolean {
    const { inFlight, maxPerGroup = inFlight } = this.#settings
    return (this.#usedBy.get(group)?.used ?? 0) + amount <= maxPerGroup
  }

  #isWithinShareOfMember({ group, member }: Flow, amount: number): boolean {
    const { inFlight, maxPerMember = inFlight } = this.#settings
    return (this.#usedBy.get(group)?.byMember.get(member) ?? 0) + amount <= maxPerMember
  }

  #grant(flow: Flow, amount: number): Release {
    this.#count(flow, amount)
    const since = this.#settings.isByTime ? performance.now() : 0
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#count(flow, -amount)
      this.#countTime(flow, since)
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
      next.granted(this.#grant(next.flow, next.amount))
    }
  }

  #countTime({ group }: Flow, since: number): void {
    if (!this.#settings.isByTime) return
    if (this.#used + this.waiting === 0) this.#usedTime.clear()
    else this.#usedTime.add(group, performance.now() - since)
  }

  #count({ group, member }: Flow, amount: number): void {
    this.#used += amount
    const use = getOrInsert(this.#usedBy, group, () => ({ used: 0, byMember: new Map() }))
    use.used += amount
    const ofMember = (use.byMember.get(member) ?? 0) + amount
    if (ofMember > 0) use.byMember.set(member, ofMember)
    else use.byMember.delete(member)
    // The only one stays: where requests come one by one, each would make it anew.
    if (use.used <= 0 && this.#usedBy.size > 1) this.#usedBy.delete(group)
  }
}
