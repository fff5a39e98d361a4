// The one writer of SQLite. Writes that arrive together share one transaction and so one fsync; each of several stands
// in a savepoint of its own, so a refused one is undone alone. Nobody is answered before the shared commit is on disk.
// Companies take turns in what is written next, and clients within a company.
import type { StatementSync } from 'node:sqlite'
import { FairQueue, type Flow } from '../../../base/concurrency/fair-queue.ts'
import { unavailable } from '../../../errors/catalogue.ts'
import type { StoreMetrics, StoreRefusal } from '../../../observe/figures.ts'
import type { SharedState } from '../../shared-state.ts'
import { FatalStoreFault, storeUnsettled } from '../../store-fault.ts'
import type { Connection } from './connection.ts'
import { isBusy, stopped, translate, unsettled } from './faults.ts'

interface Bounds {
  /** Writes that share a commit. */
  readonly batch: number
  readonly waiting: number
}

/**
 * A burst of clients sends as many as make a batch; in a larger one the first would wait for the last. With more that
 * wait a client is better served by trying again.
 */
const SERVING: Bounds = { batch: 64, waiting: 512 }
/** Nobody waits for a single record of an import: commits are as large as its batches. */
const BULK: Bounds = { batch: 8_192, waiting: 16_384 }

export interface WriterOptions {
  /** Called once when the disk fails under a write. */
  onFatal(fault: FatalStoreFault): void
  mayWrite(): boolean
  /** Throws what is fatal when no process of ours holds the data folder any more. */
  requireHeld(): void
  readonly figures: StoreMetrics
  readonly isBulk: boolean
}

/** A commit takes less than a millisecond; who does not come to it for so long is told. */
const BUSY_TIMEOUT_MS = 5_000
const TRY_AGAIN_MS = 1

interface Job {
  readonly givenAt: number
  work(): Promise<unknown>
  done(value: unknown): void
  failed(reason: unknown): void
}

type Outcome = { job: Job; value: unknown } | { job: Job; error: unknown }

export class SharedWriter {
  readonly #connection: Connection
  readonly #onFatal: (fault: FatalStoreFault) => void
  readonly #mayWrite: () => boolean
  readonly #requireHeld: () => void
  readonly #figures: StoreMetrics
  readonly #shared: SharedState
  readonly #bounds: Bounds
  readonly #waiting: FairQueue<Job>
  #scheduled = false
  #running: Promise<void> = Promise.resolve()
  #fatal: FatalStoreFault | undefined
  /** The statements of every batch, prepared once. */
  readonly #sql: Record<'begin' | 'commit' | 'savepoint' | 'release' | 'undo', StatementSync>

  constructor(
    connection: Connection,
    { onFatal, mayWrite, requireHeld, figures, isBulk }: WriterOptions,
    shared: SharedState,
  ) {
    this.#connection = connection
    connection.exec('pragma busy_timeout = 0')
    this.#onFatal = onFatal
    this.#mayWrite = mayWrite
    this.#requireHeld = requireHeld
    this.#figures = figures
    this.#bounds = isBulk ? BULK : SERVING
    this.#waiting = new FairQueue(this.#bounds.waiting)
    this.#shared = shared
    figures.queuedWrites = () => this.#waiting.length
    this.#sql = {
      begin: connection.prepare('begin immediate'),
      commit: connection.prepare('commit'),
      savepoint: connection.prepare('savepoint one'),
      release: connection.prepare('release one'),
      undo: connection.prepare('rollback to one'),
    }
  }

  /**
   * Runs `work`, which may only await this connection's own statements, in a shared transaction when it is the flow's
   * turn.
   */
  write<T>(flow: Flow, work: () => Promise<T>): Promise<T> {
    if (this.#fatal) return Promise.reject(stopped(this.#fatal))
    if (!this.#mayWrite())
      return this.#refuse('disk-low', unavailable('The disk is nearly full: only reading works.', 30))
    return new Promise<T>((done, failed) => {
      this.#add(flow, { givenAt: performance.now(), work, done: done as (value: unknown) => void, failed })
      if (this.#scheduled) return
      this.#scheduled = true
      // After the requests that are already readable have been parsed, so that they join.
      setImmediate(() => {
        this.#running = this.#drain()
      })
    })
  }

  /** Resolves when everything that was waiting has been answered. */
  async settle(): Promise<void> {
    while (this.#scheduled) {
      await new Promise((resume) => setImmediate(resume))
      await this.#running
    }
  }

  async #drain(): Promise<void> {
    await this.#commitTogether()
    if (this.#waiting.length > 0) setImmediate(() => (this.#running = this.#drain()))
    else this.#scheduled = false
  }

  async #commitTogether(): Promise<void> {
    let batch: readonly Job[] = []
    const outcomes: Outcome[] = []
    try {
      await this.#begin()
      // Who has come while another process was writing is one of them.
      batch = this.#take()
      this.#shared.forget()
      const { waiting, running, committing } = this.#figures.writes
      let before = performance.now()
      for (const job of batch) {
        waiting.add(before - job.givenAt)
        try {
          outcomes.push(await (batch.length === 1 ? this.#runAlone(job) : this.#runInSavepoint(job)))
        } finally {
          const after = performance.now()
          running.add(after - before)
          before = after
        }
      }
      this.#shared.flush()
      this.#requireHeld()
      this.#commit()
      this.#shared.committed()
      committing.add(performance.now() - before)
    } catch (error) {
      this.#failTogether(batch.length > 0 ? batch : this.#take(), error)
      return
    }
    for (const outcome of outcomes) {
      if ('error' in outcome) outcome.job.failed(outcome.error)
      else outcome.job.done(outcome.value)
    }
  }

  #commit(): void {
    try {
      this.#sql.commit.run()
    } catch (error) {
      // Where the transaction is still there, it is undone; where it is not, only a known fault says what became of it.
      throw this.#connection.isTransaction || translate(error) !== error ? error : storeUnsettled(error)
    }
  }

  /** Whoever has most waiting makes room. */
  #add(flow: Flow, job: Job): void {
    const dropped = this.#waiting.push(flow, job)
    if (!dropped) return
    this.#figures.refuse('writes-waiting')
    dropped.failed(unavailable('Too many writes are waiting.', 1))
  }

  #take(): readonly Job[] {
    return this.#waiting.take(this.#bounds.batch)
  }

  /**
   * Waits for the other processes on the file, without holding up this one: SQLite itself would wait in the event
   * loop's place.
   */
  async #begin(): Promise<void> {
    for (const triedUntil = performance.now() + BUSY_TIMEOUT_MS; ; ) {
      try {
        this.#sql.begin.run()
        return
      } catch (error) {
        if (!isBusy(error) || performance.now() > triedUntil) throw error
        await new Promise((resume) => setTimeout(resume, TRY_AGAIN_MS))
      }
    }
  }

  #refuse(reason: StoreRefusal, refusal: Error): Promise<never> {
    this.#figures.refuse(reason)
    return Promise.reject(refusal)
  }

  /**
   * A refusal undoes the transaction. In a savepoint SQLite copies each page before its first change, and looks through
   * all copies at each further statement: in a large write that would take most of the time.
   */
  async #runAlone(job: Job): Promise<Outcome> {
    const value = await job.work()
    this.#shared.keep()
    return { job, value }
  }

  /** A refusal undoes its own job; a fault of the store is thrown on and undoes the batch. */
  async #runInSavepoint(job: Job): Promise<Outcome> {
    this.#sql.savepoint.run()
    try {
      const value = await job.work()
      this.#sql.release.run()
      this.#shared.keep()
      return { job, value }
    } catch (error) {
      const fault = translate(error)
      if (fault !== error || !this.#connection.isTransaction) throw error
      this.#sql.undo.run()
      this.#sql.release.run()
      this.#shared.undo()
      return { job, error }
    }
  }

  #failTogether(batch: readonly Job[], error: unknown): void {
    const fault = translate(error)
    const isFatal = fault instanceof FatalStoreFault
    if (fault !== error) this.#figures.refuse('unavailable')
    if (isFatal) this.#fatal = fault
    this.#shared.forget()
    try {
      if (this.#connection.isTransaction) this.#connection.exec('rollback')
    } finally {
      for (const job of batch) job.failed(isFatal ? unsettled(fault) : fault)
      if (isFatal) this.#onFatal(fault)
    }
  }
}
