// One of several processes that serve, and what it tells the process that leads them.
import cluster from 'node:cluster'

/** What a worker sends, in this order: that its program is loaded, that it has prepared the store, and its address. */
export interface FromWorker {
  readonly isLoaded?: true
  readonly hasPrepared?: true
  readonly listening?: string
}

/** What a worker is told: to prepare the store, and then that it may open it. */
export interface ToWorker {
  readonly prepares?: true
  readonly admission?: Admission
}

export interface Admission {
  /** Whether this worker builds the indexes, rotates the keys and deletes what has expired, for all. */
  readonly looksAfter: boolean
}

/** Whether this process is a worker. */
export const isWorker = cluster.isWorker

/** In a worker the first process, which goes on only when this program is loaded. */
export const STARTED_BY = process.ppid

export function tellLeader(message: FromWorker): void {
  process.send?.(message)
}

/** In a worker: resolves when it may open the store. One of the workers brings the store up to date before. */
export function untilAdmitted(prepare: () => Promise<void>): Promise<Admission> {
  return new Promise((resolve, reject) => {
    const listener = ({ prepares, admission }: ToWorker) => {
      if (prepares) prepare().then(() => tellLeader({ hasPrepared: true }), reject)
      if (!admission) return
      process.off('message', listener)
      resolve(admission)
    }
    process.on('message', listener)
    tellLeader({ isLoaded: true })
  })
}
