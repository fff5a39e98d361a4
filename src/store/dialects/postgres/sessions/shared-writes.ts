// The writes of one company. They lock one another out until the commit anyway, so those that come while others are
// under way share the next transaction, and so one wait for the disk. Each stands in a savepoint of its own, so that a
// refused one is undone alone. Nobody is answered before the shared commit. Clients take turns in what is written next.
import { FairQueue, type Flow } from '../../../../base/concurrency/fair-queue.ts'
import { unavailable } from '../../../../errors/catalogue.ts'
import type { StoreMetrics } from '../../../../observe/figures.ts'
import { isTimeout, sessionsBusy, translate } from '../faults.ts'
import type { Transaction } from './transaction.ts'

/** How many writes share a commit, how many may wait, and for how long: one that has not begun by then is told so. */
interface Bounds {
  readonly batch: number
  readonly waiting: number
  readonly waitMs: number | undefined
}

/**
 * A burst of clients sends as many as make a batch; in a larger one the first would wait for the last. With more that
 * wait a client is better served by trying again.
 */
const SERVING: Bounds = { batch: 64, waiting: 512, waitMs: 2_000 }
/** Nobody waits for a single record of an import. */
const BULK: Bounds = { batch: 512, waiting: 16_384, waitMs: undefined }

type Work<T> = (transaction: Transaction) => Promise<T>

interface Job {
  readonly givenAt: number
  readonly timer: NodeJS.Timeout | undefined
  readonly work: Work<unknown>
  done(value: unknown): void
  failed(reason: unknown): void
}

interface Outcome {
  readonly isRefused: boolean
  answer(): void
}

/** Ends a transaction that has nothing to commit. */
const NOTHING_WRITTEN = new Error('every write was refused')

/** Runs work in a transaction whose company is locked; resolves when it is on disk. */
export type InTransaction = (work: Work<void>) => Promise<void>

export class SharedWrites {
  readonly #inTransaction: InTransaction
  readonly #figures: StoreMetrics
  readonly #bounds: Bounds
  readonly #waiting: FairQueue<Job>
  #isBusy = false

  constructor(inTransaction: InTransaction, figures: StoreMetrics, isBulk: boolean) {
    this.#bounds = isBulk ? BULK : SERVING
    this.#waiting = new FairQueue(this.#bounds.waiting)
    this.#inTransaction = inTransaction
    this.#figures = figures
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** Runs `work`, which may only await statements of the transaction, in a shared one when it is the flow's turn. */
  write<T>(flow: Flow, work: Work<T>): Promise<T> {
    const { waitMs } = this.#bounds
    return new Promise<T>((done, failed) => {
      const job: Job = {
        givenAt: performance.now(),
        timer: waitMs === undefined ? undefined : setTimeout(() => this.#giveUp(flow, job), waitMs),
        work,
        done: done as (value: unknown) => void,
        failed,
      }
      this.#add(flow, job)
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
    const outcomes: Outcome[] = []
    try {
      await this.#inTransaction(async (transaction) => {
        // Whoever has come while the company was being locked is one of them.
        batch = this.#take()
        for (const [at, job] of batch.entries()) {
          outcomes.push(await this.#runInSavepoint(transaction, `write_${at}`, job))
        }
        if (outcomes.every(({ isRefused }) => isRefused)) throw NOTHING_WRITTEN
      })
    } catch (error) {
      if (error !== NOTHING_WRITTEN) {
        for (const job of batch.length > 0 ? batch : this.#take()) job.failed(error)
        return
      }
    }
    for (const { answer } of outcomes) answer()
  }

  /** A refusal undoes its own job; a fault of the store is thrown on and undoes the batch. */
  async #runInSavepoint(transaction: Transaction, name: string, job: Job): Promise<Outcome> {
    const { session, sent } = transaction
    const startedAt = performance.now()
    this.#figures.writes.waiting.add(startedAt - job.givenAt)
    sent.add(session.query(`savepoint ${name}`))
    try {
      const value = await job.work(transaction)
      sent.add(session.query(`release ${name}`))
      transaction.shared.keep()
      return { isRefused: false, answer: () => job.done(value) }
    } catch (error) {
      if (isTimeout(error) || translate(error) !== error) throw error
      // Where another job is to blame, this savepoint is not there, and all are refused at the commit.
      sent.add(session.query(`rollback to ${name}; release ${name}`))
      transaction.shared.undo()
      return { isRefused: true, answer: () => job.failed(error) }
    } finally {
      this.#figures.writes.running.add(performance.now() - startedAt)
    }
  }

  /** Whoever has most waiting makes room. */
  #add(flow: Flow, job: Job): void {
    const dropped = this.#waiting.push(flow, job)
    if (!dropped) return
    clearTimeout(dropped.timer)
    this.#figures.refuse('writes-waiting')
    dropped.failed(unavailable('Too many writes are waiting.', 1))
  }

  #take(): Job[] {
    const batch = this.#waiting.take(this.#bounds.batch)
    for (const job of batch) clearTimeout(job.timer)
    return batch
  }

  #giveUp(flow: Flow, job: Job): void {
    this.#waiting.remove(flow, job)
    this.#figures.refuse('unavailable')
    job.failed(sessionsBusy())
  }
}
