// The numbers of the last changes that a replica has.
import { setTimeout as pause } from 'node:timers/promises'
import type { Store } from '../store.ts'
import { lastChangeNumber } from '../versions/change-number.ts'

const WAIT_MS = 1_000
const EVERY_MS = 20

export class ReplicaNumbers {
  readonly #replica: Pick<Store, 'reading'>
  /** The running reads, by company. */
  readonly #running = new Map<string, Promise<number>>()

  constructor(replica: Pick<Store, 'reading'>) {
    this.#replica = replica
  }

  /** The company's number once it is at least this; undefined when that takes too long. */
  async reached(companyId: string, least: number): Promise<number | undefined> {
    const until = performance.now() + WAIT_MS
    for (;;) {
      const number = await this.#now(companyId)
      if (number >= least) return number
      if (performance.now() + EVERY_MS > until) return undefined
      await pause(EVERY_MS)
    }
  }

  /** Requests of the same time share a read: the number only grows. */
  #now(companyId: string): Promise<number> {
    const running = this.#running.get(companyId)
    if (running) return running
    const started = lastChangeNumber(this.#replica.reading(companyId)).finally(() => this.#running.delete(companyId))
    this.#running.set(companyId, started)
    return started
  }
}
