// The writes of one company. They exclude one another until the commit anyway, so writes that arrive while others run
// share the next transaction and one wait for the disk. Most rejected writes have written nothing yet. When one has,
// all is rolled back and runs again, each in a savepoint, so that a rejected one is rolled back alone. No caller is
// answered before the shared commit. Clients take turns.
import type { Flow } from '../../../base/concurrency/fair-queue.ts'
import { WaitingQueue } from '../../../base/concurrency/waiting-queue.ts'
import { unavailable } from '../../../errors/catalogue.ts'
import type { StoreMetrics } from '../../../observe/store-metrics.ts'
import { isFault, sessionsBusy } from './faults.ts'
import { inSavepoint, type Transaction } from './transaction.ts'

/** The number of writes per commit, the number that may wait, and the maximum wait before a write is rejected. */
interface Bounds {
  readonly batch: number
  readonly waiting: number
  readonly maxWaitMs: number | undefined
}

/**
 * A burst of clients fills a batch; in a larger one the first write would wait for the last. With more waiting writes,
 * a client is better served by retrying.
 */
const SERVING: Bounds = { batch: 64, waiting: 512, maxWaitMs: 2_000 }
/** No client waits for a single record of an import. */
const BULK: Bounds = { batch: 512, waiting: 16_384, maxWaitMs: undefined }

type Work<T> = (transaction: Transaction) => Promise<T>

interface Job {
  readonly queuedAt: number
  readonly work: Work<unknown>
  done(value: unknown): void
  failed(reason: unknown): void
}

interface Outcome {
  readonly isRejected: boolean
  answer(): void
}

/** Thrown to end a transaction that has nothing to commit. */
const NOTHING_WRITTEN = new Error('every write was refused')
/** Thrown to end a transaction in which a write among others was rejected when it had written. */
const MUST_UNDO_ONE = new Error('a write was refused after it had written')

/** The writes of so many batches run in savepoints after one that was rejected when it had written. */
const CAREFUL_BATCHES = 16

/** Runs work in a transaction with the company locked; resolves when it is durable. */
export type InTransaction = (work: Work<void>) => Promise<void>

export class SharedWrites {
  readonly #inTransaction: InTransaction
  readonly #metrics: StoreMetrics
  readonly #bounds: Bounds
  readonly #waiting: WaitingQueue<Job>
  #isBusy = false
  /** The writes that still run in savepoints. */
  #carefulWrites = 0

  constructor(inTransaction: InTransaction, metrics: StoreMetrics, isBulk: boolean) {
    this.#bounds = isBulk ? BULK : SERVING
    const refusal = (hasWaited: boolean) =>
      hasWaited ? sessionsBusy() : unavailable('Too many writes are waiting.', 1)
    this.#waiting = new WaitingQueue({ ...this.#bounds, refusal })
    metrics.queues.add('writes', this.#waiting)
    this.#inTransaction = inTransaction
    this.#metrics = metrics
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /**
   * Runs `work` in a shared transaction when it is the flow's turn. `work` may only await statements of that
   * transaction.
   */
  write<T>(flow: Flow, work: Work<T>): Promise<T> {
    return new Promise<T>((done, failed) => {
      const job: Job = {
        queuedAt: performance.now(),
        work,
        done: done as (value: unknown) => void,
        failed,
      }
      this.#waiting.push(flow, job)
      if (!this.#isBusy) void this.#drain()
    })
  }

  async #drain(): Promise<void> {
    this.#isBusy = true
    while (this.#waiting.length > 0) await this.#commitTogether()
    this.#isBusy = false
  }

  async #commitTogether(): Promise<void> {
    let batch: Job[] = []
    let outcomes: Outcome[] = []
    const runAll = () =>
      this.#inTransaction(async (transaction) => {
        // Includes writes that arrived while the company was being locked.
        if (batch.length === 0) batch = this.#takeBatch()
        outcomes = []
        for (const [at, job] of batch.entries())
          outcomes.push(await this.#run(transaction, at, job, batch.length === 1))
        if (outcomes.every(({ isRejected }) => isRejected)) throw NOTHING_WRITTEN
      })
    try {
      await runAll().catch((error: unknown) => {
        if (error !== MUST_UNDO_ONE) throw error
        this.#carefulWrites = CAREFUL_BATCHES * this.#bounds.batch
        return runAll()
      })
    } catch (error) {
      if (error !== NOTHING_WRITTEN) {
        for (const job of batch.length > 0 ? batch : this.#takeBatch()) job.failed(error)
        return
      }
    }
    for (const { answer } of outcomes) answer()
  }

  /** A rejection undoes only its own job; an infrastructure error is rethrown and rolls back the batch. */
  async #run(transaction: Transaction, at: number, job: Job, isAlone: boolean): Promise<Outcome> {
    const startedAt = performance.now()
    this.#metrics.addWrite('waiting', startedAt - job.queuedAt)
    const isCareful = !isAlone && this.#carefulWrites > 0
    if (isCareful) this.#carefulWrites -= 1
    transaction.hasWritten = false
    try {
      // Each has a name of its own: an earlier one that a failed statement has left must not be taken for it.
      const value = await (isCareful ? inSavepoint(transaction, `write_${at}`, job.work) : job.work(transaction))
      transaction.shared.acceptWrite()
      return { isRejected: false, answer: () => job.done(value) }
    } catch (error) {
      if (isFault(error) || transaction.pending.fault) throw error
      if (transaction.hasWritten && !isCareful && !isAlone) throw MUST_UNDO_ONE
      transaction.shared.undoWrite()
      return { isRejected: true, answer: () => job.failed(error) }
    } finally {
      this.#metrics.addWrite('running', performance.now() - startedAt)
    }
  }

  #takeBatch(): Job[] {
    return this.#waiting.take(this.#bounds.batch)
  }
}
