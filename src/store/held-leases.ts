// The leases that this process holds: work that no process does is looked for, begun, and given back at the end.
import { setTimeout as delay } from 'node:timers/promises'
import { type Lease, type LeaseTable, newHolder } from './lease-table.ts'
import type { Store } from './store.ts'

/** A process may end without giving its leases back: others take them after as long where they do not see that. */
const LEASE_MS = 30_000
/** How often it is looked for work that no process does. */
const LOOK_MS = 5_000
/** When the service stops, what is under way may take as long to end. */
const GRACE_MS = 5_000

/** What is done while the lease is held. */
export interface LeasedWork {
  readonly lease: Lease
  /** Until when the lease is certain, by the monotonic clock. */
  validUntil: number
  /** Never throws. Resolves when the work is done, was stopped, or the lease is lost. */
  run(): Promise<void>
  /** Begins nothing any more. */
  stop(): void
  /** Also gives up what is under way: whoever holds the lease next does it again. */
  leave(): void
}

/** Shorter in tests. */
export interface LeaseTimes {
  readonly leaseMs?: number | undefined
  readonly lookMs?: number | undefined
}

interface LeaseSettings<Work extends LeasedWork> extends LeaseTimes {
  readonly store: Store
  readonly table: LeaseTable
  readonly companies: { readonly all: Iterable<{ readonly id: string }> }
  begin(lease: Lease, validUntil: number): Work
  /** Called when a lease was given back. */
  onEnded?(companyId: string): void
  /** At most as much work at once; default: without limit. */
  readonly most?: number
}

interface Held<Work> {
  readonly work: Work
  readonly ended: Promise<void>
}

export class HeldLeases<Work extends LeasedWork> {
  readonly #settings: LeaseSettings<Work>
  readonly #leaseMs: number
  readonly #lookMs: number
  readonly #holder = newHolder()
  /** By company and row. */
  readonly #held = new Map<string, Held<Work>>()
  readonly #timers: NodeJS.Timeout[] = []
  /** The looks under way. */
  readonly #looks = new Set<Promise<void>>()
  #isServing = false

  constructor(settings: LeaseSettings<Work>) {
    this.#settings = settings
    this.#leaseMs = settings.leaseMs ?? LEASE_MS
    this.#lookMs = settings.lookMs ?? LOOK_MS
  }

  /** The work under way. */
  get all(): Work[] {
    return [...this.#held.values()].map(({ work }) => work)
  }

  in(companyId: string): Work[] {
    return this.all.filter(({ lease }) => lease.companyId === companyId)
  }

  /** From now on this process takes leases. */
  start(): void {
    this.#isServing = true
    const every = (ms: number, work: () => Promise<void>) =>
      this.#timers.push(setInterval(() => this.#inBackground(work), ms).unref())
    every(this.#lookMs, () => this.#lookEverywhere())
    every(this.#leaseMs / 3, () => this.#renew())
    this.#inBackground(() => this.#lookEverywhere())
  }

  /** There may be work in the company. */
  look(companyId: string): void {
    if (this.#isServing) this.#inBackground(() => this.#look(companyId))
  }

  /** Ends what is under way, for a while, and lets other processes go on at once. */
  async stop(): Promise<void> {
    this.#isServing = false
    for (const timer of this.#timers) clearInterval(timer)
    await Promise.all(this.#looks)
    const held = [...this.#held.values()]
    for (const { work } of held) work.stop()
    const all = Promise.all(held.map(({ ended }) => ended))
    await Promise.race([all, delay(GRACE_MS, undefined, { ref: false })])
    for (const { work } of held) work.leave()
    await all
  }

  #inBackground(work: () => Promise<void>): void {
    // A store that cannot be asked now is told by those who need an answer; the next look comes soon.
    const look = work().catch(() => {})
    this.#looks.add(look)
    void look.then(() => this.#looks.delete(look))
  }

  async #lookEverywhere(): Promise<void> {
    for (const { id } of this.#settings.companies.all) await this.#look(id)
  }

  async #look(companyId: string): Promise<void> {
    const { store, table, begin, most = Number.POSITIVE_INFINITY } = this.#settings
    for (const free of await table.listFree(store.reading(companyId), Date.now())) {
      const key = `${companyId}\n${free.id}`
      if (!this.#isServing || this.#held.has(key) || this.#held.size >= most) continue
      const { holder, validUntil } = this.#nextTerm()
      const lease = await table.take(store, free, holder)
      if (!lease) continue
      const work = begin(lease, validUntil)
      const ended = work
        .run()
        .then(() => table.release(store, lease))
        // Others take it when it ends by itself.
        .catch(() => {})
        .then(() => {
          this.#held.delete(key)
          this.#settings.onEnded?.(companyId)
        })
      this.#held.set(key, { work, ended })
    }
  }

  async #renew(): Promise<void> {
    const { store, table } = this.#settings
    const companies = new Set(this.all.map(({ lease }) => lease.companyId))
    for (const companyId of companies) {
      const { holder, validUntil } = this.#nextTerm()
      const held = this.in(companyId)
      const leases = held.map(({ lease }) => lease)
      const renewed = await table.renew(store, companyId, leases, holder)
      for (const work of held) {
        if (renewed.has(work.lease)) work.validUntil = validUntil
        else if (performance.now() > work.validUntil) work.leave()
      }
    }
  }

  #nextTerm() {
    const holder = { holder: this.#holder, until: Date.now() + this.#leaseMs }
    return { holder, validUntil: performance.now() + this.#leaseMs }
  }
}
