// The single writer of SQLite. Writes that arrive together share a transaction and so one fsync. Most rejected writes
// have written nothing yet. When one has, all is rolled back, and the others run again, each in a savepoint, so that a
// further rejected one is rolled back alone. No caller is answered before the shared commit is durable. Companies take
// turns, and clients within a company.
import { dirname } from 'node:path'
import type { StatementSync } from 'node:sqlite'
import type { Flow } from '../../../base/concurrency/fair-queue.ts'
import { WaitingQueue } from '../../../base/concurrency/waiting-queue.ts'
import { unavailable } from '../../../errors/catalogue.ts'
import type { StoreMetrics } from '../../../observe/store-metrics.ts'
import type { SharedState } from '../../../store/journal/shared-state.ts'
import { commitOutcomeUnknown, FatalStoreFault } from '../../../store/store-fault.ts'
import { type Connection, countingInBigints } from '../dialect/connection.ts'
import { isBusy, outcomeUnknown, storeStopped, translate } from '../dialect/faults.ts'
import { shortageOn } from '../file/data-folder.ts'
import { WaitingMark } from '../file/waiting-mark.ts'
import type { SqliteSession } from './session.ts'

interface Bounds {
  /** The maximum number of writes per commit. */
  readonly batch: number
  readonly waiting: number
}

/**
 * A burst of clients fills a batch; in a larger one the first write would wait for the last. With more waiting writes,
 * a client is better served by retrying.
 */
const SERVING: Bounds = { batch: 64, waiting: 512 }
/** No client waits for a single record of an import: commits are as large as its batches. */
const BULK: Bounds = { batch: 8_192, waiting: 16_384 }

export interface WriterOptions {
  /** Called once when the disk fails during a write. */
  onFatal(fault: FatalStoreFault): void
  mayWrite(): boolean
  /** Throws a fatal error when no process of this service holds the data folder any more. */
  requireHeld(): void
  readonly metrics: StoreMetrics
  readonly isBulk: boolean
}

/** A commit takes less than a millisecond; a write that cannot start for this long fails. */
const BUSY_TIMEOUT_MS = 5_000
const TRY_AGAIN_MS = 1
/** A process that waits for another says so, again and again. */
const MARK_EVERY_MS = 50
/** A write waits so long at most for others to share its commit, which takes as much time itself. */
const GATHER_MS = 2
/** A commit takes no further writes after this time, so that its first one does not wait for many slow ones. */
const BATCH_MS = 200
/** A write that consists of several ends when others have waited for it this long. */
const OTHERS_WAIT_MS = 1_000

interface Job {
  readonly flow: Flow
  readonly queuedAt: number
  work(): Promise<unknown>
  done(value: unknown): void
  failed(reason: unknown): void
}

/** `one`: a write of several in a transaction; `joined`: a part of a write. */
type SavepointName = 'one' | 'joined'

type Outcome = { job: Job; value: unknown } | { job: Job; error: unknown }

/** The writes of so many batches run in savepoints after one that was rejected when it had written. */
const CAREFUL_BATCHES = 16

export class SharedWriter {
  readonly #connection: Connection
  readonly #onFatal: (fault: FatalStoreFault) => void
  readonly #mayWrite: () => boolean
  readonly #requireHeld: () => void
  readonly #metrics: StoreMetrics
  readonly #shared: SharedState
  readonly #session: Pick<SqliteSession, 'hasWritten'>
  readonly #bounds: Bounds
  readonly #waiting: WaitingQueue<Job>
  #scheduled = false
  #running: Promise<void> = Promise.resolve()
  #fatal: FatalStoreFault | undefined
  /** The writes that still run in savepoints. */
  #carefulWrites = 0
  readonly #mark: WaitingMark
  /** When the transaction has begun; by the clock of `performance`, and in milliseconds since the epoch. */
  #begunAt = { ms: 0, epochMs: 0 }
  /** The transaction statements, prepared once. */
  readonly #sql: Record<'begin' | 'commit', StatementSync>
  readonly #savepoints: Record<SavepointName, Record<'set' | 'release' | 'undo', StatementSync>>

  constructor(
    connection: Connection,
    { onFatal, mayWrite, requireHeld, metrics, isBulk }: WriterOptions,
    shared: SharedState,
    session: Pick<SqliteSession, 'hasWritten'>,
  ) {
    this.#connection = connection
    connection.exec('pragma busy_timeout = 0')
    this.#mark = new WaitingMark(connection.location() ?? '')
    this.#onFatal = onFatal
    this.#mayWrite = mayWrite
    this.#requireHeld = requireHeld
    this.#metrics = metrics
    this.#bounds = isBulk ? BULK : SERVING
    const refusal = () => unavailable('Too many writes are waiting.', 1)
    this.#waiting = new WaitingQueue({ waiting: this.#bounds.waiting, refusal })
    this.#shared = shared
    this.#session = session
    metrics.queuedWrites = () => this.#waiting.length
    metrics.queues.add('writes', this.#waiting)
    const prepare = (text: string) => countingInBigints(connection.prepare(text))
    this.#sql = { begin: prepare('begin immediate'), commit: prepare('commit') }
    const savepoint = (name: string) => ({
      set: prepare(`savepoint ${name}`),
      release: prepare(`release ${name}`),
      undo: prepare(`rollback to ${name}`),
    })
    this.#savepoints = { one: savepoint('one'), joined: savepoint('joined') }
  }

  /**
   * Runs `work` in a shared transaction when it is the flow's turn. `work` may only await statements of this
   * connection.
   */
  write<T>(flow: Flow, work: () => Promise<T>): Promise<T> {
    return this.requireRoom() ?? this.writeAnyway(flow, work)
  }

  /** The same on a disk that is nearly full too, for what is rolled back. */
  writeAnyway<T>(flow: Flow, work: () => Promise<T>): Promise<T> {
    if (this.#fatal) return Promise.reject(storeStopped(this.#fatal))
    return new Promise<T>((done, failed) => {
      const queuedAt = performance.now()
      this.#waiting.push(flow, { flow, queuedAt, work, done, failed })
      if (this.#scheduled) return
      this.#scheduled = true
      this.#gather(queuedAt + GATHER_MS)
    })
  }

  /** The refusal of all writes, where the disk has failed or is nearly full. */
  requireRoom(): Promise<never> | undefined {
    if (this.#fatal) return Promise.reject(storeStopped(this.#fatal))
    if (this.#mayWrite()) return undefined
    const reason = shortageOn(dirname(this.#connection.location() ?? ''))
    this.#metrics.refuse('disk-low')
    return Promise.reject(unavailable('The disk is nearly full: only reading works.', 30, undefined, reason))
  }

  /** Begins when a turn of the event loop brings no further write: the requests that can be read by now join. */
  #gather(until: number, known = 0): void {
    setImmediate(() => {
      const { length } = this.#waiting
      const mayGrow = length > known && length < this.#bounds.batch && performance.now() < until
      if (mayGrow) this.#gather(until, length)
      else this.#running = this.#drain()
    })
  }

  /** Whether others than a flow, also of other processes, wait so long for what is written that it should end. */
  isHoldingUpOthers({ group, member }: Flow): boolean {
    const { ms, epochMs } = this.#begunAt
    const sinceMs = performance.now() - OTHERS_WAIT_MS
    if (sinceMs < ms) return false
    const isOther = ({ flow }: Job) => flow.group !== group || flow.member !== member
    const isWaitedFor = [...this.#waiting.heads()].some((job) => isOther(job) && job.queuedAt < sinceMs)
    return isWaitedFor || this.#mark.isSetAfter(epochMs)
  }

  /** Resolves when all waiting writes have been answered. */
  async settle(): Promise<void> {
    while (this.#scheduled) {
      await new Promise((resume) => setImmediate(resume))
      await this.#running
    }
  }

  async #drain(): Promise<void> {
    await this.#commitTogether()
    if (this.#waiting.length > 0) this.#gather(performance.now() + GATHER_MS)
    else this.#scheduled = false
  }

  async #commitTogether(): Promise<void> {
    const batch: Job[] = []
    const outcomes: Outcome[] = []
    try {
      await this.#begin()
      this.#shared.reset()
      let before = performance.now()
      this.#begunAt = { ms: before, epochMs: Date.now() }
      const until = before + BATCH_MS
      // Includes writes that arrived while another process was writing.
      const isAlone = this.#waiting.length === 1
      for (let left = Math.min(this.#bounds.batch, this.#waiting.length); left > 0 && before < until; left--) {
        const job = this.#waiting.shift()
        if (!job) break
        batch.push(job)
        this.#metrics.addWrite('waiting', before - job.queuedAt)
        try {
          outcomes.push(await (isAlone ? this.#runAlone(job) : this.#runBeside(job, outcomes)))
        } finally {
          const after = performance.now()
          this.#metrics.addWrite('running', after - before)
          before = after
        }
      }
      this.#shared.flush()
      this.#requireHeld()
      this.#commit()
      this.#shared.committed()
      this.#metrics.addWrite('committing', performance.now() - before)
    } catch (error) {
      this.#failTogether(batch.length > 0 ? batch : this.#waiting.take(this.#bounds.batch), error)
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
      // A transaction that is still open is rolled back. Otherwise only a known error tells its outcome.
      throw this.#connection.isTransaction || translate(error) !== error ? error : commitOutcomeUnknown(error)
    }
  }

  /** Waits for other processes on the file without blocking: SQLite's own busy timeout would block the event loop. */
  async #begin(): Promise<void> {
    const startedAt = performance.now()
    for (let markAt = startedAt + MARK_EVERY_MS; ; ) {
      try {
        this.#sql.begin.run()
        return
      } catch (error) {
        const now = performance.now()
        if (!isBusy(error) || now - startedAt > BUSY_TIMEOUT_MS) throw error
        if (now > markAt) {
          this.#mark.set()
          markAt = now + MARK_EVERY_MS
        }
        await new Promise((resume) => setTimeout(resume, TRY_AGAIN_MS))
      }
    }
  }

  /**
   * Runs a job without a savepoint. With one SQLite copies each page before its first change and scans all copies at
   * each further statement, which would take most of the time of a large write.
   */
  async #runAlone(job: Job): Promise<Outcome> {
    const value = await job.work()
    this.#shared.acceptWrite()
    return { job, value }
  }

  /**
   * Runs a job of several; a rejection undoes only this one. An infrastructure error is rethrown and rolls back the
   * batch. `before`: the outcomes of those that have run, which may run again.
   */
  async #runBeside(job: Job, before: Outcome[]): Promise<Outcome> {
    if (this.#carefulWrites > 0) {
      this.#carefulWrites -= 1
      return this.#runInSavepoint(job)
    }
    try {
      this.#session.hasWritten = false
      const value = await job.work()
      this.#shared.acceptWrite()
      return { job, value }
    } catch (error) {
      if (this.isFault(error)) throw error
      if (this.#session.hasWritten) await this.#beginAgain(before)
      else this.#shared.undoWrite()
      return { job, error }
    }
  }

  /** Rolls back, and runs again what has run before. Nothing is left of what was rejected: it does not run again. */
  async #beginAgain(outcomes: Outcome[]): Promise<void> {
    this.#carefulWrites = CAREFUL_BATCHES * this.#bounds.batch
    this.#connection.exec('rollback')
    await this.#begin()
    this.#shared.reset()
    for (const [at, outcome] of outcomes.entries())
      if (!('error' in outcome)) outcomes[at] = await this.#runInSavepoint(outcome.job)
  }

  async #runInSavepoint(job: Job): Promise<Outcome> {
    try {
      const value = await this.inSavepoint('one', job.work)
      this.#shared.acceptWrite()
      return { job, value }
    } catch (error) {
      if (this.isFault(error)) throw error
      this.#shared.undoWrite()
      return { job, error }
    }
  }

  /** Runs `work` within a write; its rejection rolls back what it has done. Rethrows every error. */
  async inSavepoint<T>(name: SavepointName, work: () => Promise<T>): Promise<T> {
    const savepoint = this.#savepoints[name]
    savepoint.set.run()
    try {
      const value = await work()
      savepoint.release.run()
      return value
    } catch (error) {
      if (this.isFault(error)) throw error
      savepoint.undo.run()
      savepoint.release.run()
      throw error
    }
  }

  /** Whether the whole transaction is lost with this error: it is one of the infrastructure, not a rejection. */
  isFault(error: unknown): boolean {
    return translate(error) !== error || !this.#connection.isTransaction
  }

  #failTogether(batch: readonly Job[], error: unknown): void {
    const fault = translate(error)
    const isFatal = fault instanceof FatalStoreFault
    if (fault !== error) this.#metrics.refuse('unavailable')
    if (isFatal) this.#fatal = fault
    this.#shared.reset()
    try {
      if (this.#connection.isTransaction) this.#connection.exec('rollback')
    } finally {
      for (const job of batch) job.failed(isFatal ? outcomeUnknown(fault) : fault)
      if (isFatal) this.#onFatal(fault)
    }
  }
}
