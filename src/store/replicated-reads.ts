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
import type { Store } from './store.ts'
import { isUnavailable } from './store-fault.ts'
import { storeOver } from './store-over.ts'

/** An answer with the number of the last change that it has at least; undefined when no records were read. */
interface NumberedAnswer<T> {
  readonly answer: T
  readonly changeNumber: number | undefined
}

/** Where the reads of one request go. Once they have left the replica they stay with the primary, which is newer. */
interface RequestReads {
  readonly least: number
  companyId: string
  source: Promise<Store> | undefined
  changeNumber: number | undefined
}

/** Where there are several numbers, the first change after the lowest one may be missing in the answer. */
function saw(reads: RequestReads, changeNumber: number): void {
  reads.changeNumber = Math.min(changeNumber, reads.changeNumber ?? changeNumber)
}

interface ReplicatedParts {
  readonly primary: Store
  readonly replica: Replica
  readonly watch: ReplicaWatch
  readonly metrics: ReplicaMetrics
}

export type ReplicatedReads = ReturnType<typeof replicatedReads>

export function replicatedReads({ primary, replica: { store: replica }, watch, metrics }: ReplicatedParts) {
  const reached = numbersOf(replica)
  const current = new AsyncLocalStorage<RequestReads>()

  const readAnywhere = async <T>(companyId: string, work: (store: Store) => T | Promise<T>): Promise<T> => {
    const request = current.getStore()
    // What belongs to no company is the service's own.
    if (!request || companyId === '') return work(primary)
    const source = await sourceOf(request, companyId)
    if (source === primary) return work(source)
    try {
      return await work(source)
    } catch (error) {
      if (!isOfReplicaAlone(error)) throw error
      if (isUnavailable(error)) watch.doubt()
      request.source = leave('failed')
      return work(primary)
    }
  }

  const sourceOf = (request: RequestReads, companyId: string): Promise<Store> => {
    if (request.source && request.companyId === companyId) return request.source
    request.companyId = companyId
    request.source = choose(request, companyId)
    return request.source
  }

  const choose = async (request: RequestReads, companyId: string): Promise<Store> => {
    const number = watch.isUsable ? await numberOfReplica(companyId, request.least) : 'left'
    if (typeof number === 'string') {
      saw(request, await lastChangeNumber(primary.reading(companyId)))
      return leave(number)
    }
    saw(request, number)
    metrics.read('replica')
    return replica
  }

  const numberOfReplica = async (companyId: string, least: number): Promise<number | 'behind' | 'failed'> => {
    try {
      return (await reached(companyId, least)) ?? 'behind'
    } catch {
      watch.doubt()
      return 'failed'
    }
  }

  const leave = async (why: 'left' | 'behind' | 'failed'): Promise<Store> => {
    metrics.read(why)
    return primary
  }

  /** The state of a replica is current as long as it may be read at all, and only for those whom it is new enough. */
  const whileUsable = (validity: Validity): Validity => ({
    tag: validity.tag,
    get changeNumber() {
      return validity.changeNumber
    },
    isCurrent: async (least = 0) => {
      if (!watch.isUsable) return false
      try {
        return (await validity.isCurrent()) && validity.changeNumber >= least
      } catch {
        watch.doubt()
        return false
      }
    },
  })

  return {
    store: storeOver(primary, {
      reading: (companyId) => ({
        companyId,
        first: (statement, values) =>
          readAnywhere(companyId, (store) => store.reading(companyId).first(statement, values)),
        all: (statement, values) => readAnywhere(companyId, (store) => store.reading(companyId).all(statement, values)),
        count: (compile) => readAnywhere(companyId, (store) => store.reading(companyId).count(compile)),
      }),
      count: (companyId, query) => readAnywhere(companyId, (store) => store.count(companyId, query)),
      collect: (companyId, query) => readAnywhere(companyId, (store) => store.collect(companyId, query)),
      validityOf: (companyId, readings) =>
        readAnywhere(companyId, async (store) => {
          const validity = await store.validityOf(companyId, readings)
          return validity && store === replica ? whileUsable(validity) : validity
        }),
    }),

    /**
     * Runs the reads of a request, which must have the change of their company with the number `least` and those before
     * it: a replica that does not have it is waited for a second.
     */
    read: async <T>(least: number, work: () => T | Promise<T>): Promise<NumberedAnswer<T>> => {
      const outer = current.getStore()
      const request: RequestReads = {
        least: Math.max(least, outer?.least ?? 0),
        companyId: '',
        source: undefined,
        changeNumber: undefined,
      }
      const answer = await current.run(request, work)
      const { changeNumber } = request
      if (outer && changeNumber !== undefined) saw(outer, changeNumber)
      return { answer, changeNumber }
    },
  }
}

/** Whether the primary may answer what the replica could not: it lacks a table that is new, say, or is shut down. */
function isOfReplicaAlone(error: unknown): boolean {
  return !(error instanceof Problem) || isUnavailable(error)
}

const WAIT_MS = 1_000
const EVERY_MS = 20

/** Returns what asks for the last change that a replica has of a company. */
function numbersOf(replica: Pick<Store, 'reading'>) {
  /** The running reads, by company. Requests of the same time share a read: the number only grows. */
  const running = new Map<string, Promise<number>>()
  const now = (companyId: string): Promise<number> =>
    getOrInsert(running, companyId, () =>
      lastChangeNumber(replica.reading(companyId)).finally(() => running.delete(companyId)),
    )
  /** The company's number once it is at least this; undefined when that takes too long. */
  return async (companyId: string, least: number): Promise<number | undefined> => {
    const until = performance.now() + WAIT_MS
    for (;;) {
      const number = await now(companyId)
      if (number >= least) return number
      if (performance.now() + EVERY_MS > until) return undefined
      await pause(EVERY_MS)
    }
  }
}
