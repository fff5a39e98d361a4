// A store whose reads of requests are answered by a replica, and by the primary where that cannot do it. Whatever is
// read outside of such a request, and all that is written, is left to the primary.

import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { getOrInsert } from '../base/memo.ts'
import type { Validity } from '../base/validity.ts'
import { Problem } from '../errors/problem.ts'
import type { ReplicaMetrics } from '../observe/store-metrics.ts'
import { lastChangeNumber } from './change-number.ts'
import type { Replica, ReplicaWatch } from './replica-watch.ts'
import type { ReadTx, Store } from './store.ts'
import { isUnavailable } from './store-fault.ts'
import { storeOver } from './store-over.ts'

/** An answer with the number of the last change that it has at least; undefined when no records were read. */
export interface NumberedAnswer<T> {
  readonly answer: T
  readonly changeNumber: number | undefined
}

/** Where the reads of one request go. Once they have left the replica they stay with the primary, which is newer. */
class RequestReads {
  readonly least: number
  companyId = ''
  source: Promise<Store> | undefined
  changeNumber: number | undefined

  constructor(least: number) {
    this.least = least
  }

  /** Where there are several numbers, the first change after the lowest one may be missing in the answer. */
  saw(changeNumber: number): void {
    this.changeNumber = Math.min(changeNumber, this.changeNumber ?? changeNumber)
  }
}

interface ReplicatedParts {
  readonly primary: Store
  readonly replica: Replica
  readonly watch: ReplicaWatch
  readonly metrics: ReplicaMetrics
}

export class ReplicatedReads {
  readonly store: Store
  readonly #primary: Store
  readonly #replica: Store
  readonly #numbers: ReplicaNumbers
  readonly #watch: ReplicaWatch
  readonly #metrics: ReplicaMetrics
  readonly #current = new AsyncLocalStorage<RequestReads>()

  constructor({ primary, replica, watch, metrics }: ReplicatedParts) {
    this.#primary = primary
    this.#replica = replica.store
    this.#numbers = new ReplicaNumbers(replica.store)
    this.#watch = watch
    this.#metrics = metrics
    this.store = storeOver(primary, {
      reading: (companyId) => this.#reading(companyId),
      count: (companyId, query) => this.#read(companyId, (store) => store.count(companyId, query)),
      collect: (companyId, query) => this.#read(companyId, (store) => store.collect(companyId, query)),
      validityOf: (companyId, readings) =>
        this.#read(companyId, async (store) => {
          const validity = await store.validityOf(companyId, readings)
          return validity && store === this.#replica ? this.#whileUsable(validity) : validity
        }),
    })
  }

  /**
   * Runs the reads of a request, which must have the change of their company with the number `least` and those before
   * it: a replica that does not have it is waited for a second.
   */
  readonly read = async <T>(least: number, work: () => T | Promise<T>): Promise<NumberedAnswer<T>> => {
    const outer = this.#current.getStore()
    const request = new RequestReads(Math.max(least, outer?.least ?? 0))
    const answer = await this.#current.run(request, work)
    const { changeNumber } = request
    if (changeNumber !== undefined) outer?.saw(changeNumber)
    return { answer, changeNumber }
  }

  #reading(companyId: string): ReadTx {
    return {
      companyId,
      first: (statement, values) => this.#read(companyId, (store) => store.reading(companyId).first(statement, values)),
      all: (statement, values) => this.#read(companyId, (store) => store.reading(companyId).all(statement, values)),
      count: (compile) => this.#read(companyId, (store) => store.reading(companyId).count(compile)),
    }
  }

  async #read<T>(companyId: string, work: (store: Store) => T | Promise<T>): Promise<T> {
    const request = this.#current.getStore()
    // What belongs to no company is the service's own.
    if (!request || companyId === '') return work(this.#primary)
    const source = await this.#sourceOf(request, companyId)
    if (source === this.#primary) return work(source)
    try {
      return await work(source)
    } catch (error) {
      if (!isOfReplicaAlone(error)) throw error
      if (isUnavailable(error)) this.#watch.doubt()
      request.source = this.#leave('failed')
      return work(this.#primary)
    }
  }

  #sourceOf(request: RequestReads, companyId: string): Promise<Store> {
    if (request.source && request.companyId === companyId) return request.source
    request.companyId = companyId
    request.source = this.#choose(request, companyId)
    return request.source
  }

  async #choose(request: RequestReads, companyId: string): Promise<Store> {
    const number = this.#watch.isUsable ? await this.#numberOfReplica(companyId, request.least) : 'left'
    if (typeof number === 'string') {
      request.saw(await lastChangeNumber(this.#primary.reading(companyId)))
      return this.#leave(number)
    }
    request.saw(number)
    this.#metrics.read('replica')
    return this.#replica
  }

  async #numberOfReplica(companyId: string, least: number): Promise<number | 'behind' | 'failed'> {
    try {
      return (await this.#numbers.reached(companyId, least)) ?? 'behind'
    } catch {
      this.#watch.doubt()
      return 'failed'
    }
  }

  async #leave(why: 'left' | 'behind' | 'failed'): Promise<Store> {
    this.#metrics.read(why)
    return this.#primary
  }

  /** The state of a replica is current as long as it may be read at all, and only for those whom it is new enough. */
  #whileUsable(validity: Validity): Validity {
    return {
      tag: validity.tag,
      get changeNumber() {
        return validity.changeNumber
      },
      isCurrent: async (least = 0) => {
        if (!this.#watch.isUsable) return false
        try {
          return (await validity.isCurrent()) && validity.changeNumber >= least
        } catch {
          this.#watch.doubt()
          return false
        }
      },
    }
  }
}

/** Whether the primary may answer what the replica could not: it lacks a table that is new, say, or is shut down. */
function isOfReplicaAlone(error: unknown): boolean {
  return !(error instanceof Problem) || isUnavailable(error)
}

const WAIT_MS = 1_000
const EVERY_MS = 20

/** The numbers of the last changes that a replica has. */
class ReplicaNumbers {
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
    return getOrInsert(this.#running, companyId, () =>
      lastChangeNumber(this.#replica.reading(companyId)).finally(() => this.#running.delete(companyId)),
    )
  }
}
