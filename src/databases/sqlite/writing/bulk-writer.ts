// Writes of many records, which a thread of its own stores while the next ones are prepared.
import type { Clock } from '../../../base/clock.ts'
import { withJournal } from '../../../store/journal/journal.ts'
import type { Actor, Tx } from '../../../store/store.ts'
import { commitOutcomeUnknown, FatalStoreFault, storeUnavailable } from '../../../store/store-fault.ts'
import { outcomeUnknown, translate } from '../dialect/faults.ts'
import { BulkTx } from './bulk-tx.ts'
import type { ThreadData } from './messages.ts'
import { StartedThread, ThreadEnded } from './started-thread.ts'
import type { WriterOptions } from './writer.ts'

interface BulkOptions extends ThreadData, Pick<WriterOptions, 'requireHeld' | 'onFatal'> {
  readonly clock: Clock
}

export class BulkWriter {
  readonly #options: BulkOptions
  #thread: StartedThread | undefined
  #before: Promise<unknown> = Promise.resolve()

  constructor(options: BulkOptions) {
    this.#options = options
  }

  /** As of a store; one after the other. */
  write<T>(companyId: string, actor: Actor, work: (tx: Tx) => Promise<T>): Promise<T> {
    const written = this.#before.then(() => this.#write(companyId, actor, work))
    this.#before = written.catch(() => {})
    return written
  }

  async #write<T>(companyId: string, actor: Actor, work: (tx: Tx) => Promise<T>): Promise<T> {
    const { file, leavesLog, clock, requireHeld } = this.#options
    if (!this.#thread || this.#thread.hasEnded) this.#thread = new StartedThread({ file, leavesLog })
    const thread = this.#thread
    let isCommitting = false
    try {
      const tx = await BulkTx.begin(thread, companyId, { actor, at: clock().toISOString() })
      const result = await withJournal(tx, work)
      await tx.settle()
      requireHeld()
      isCommitting = true
      await thread.ask({ kind: 'commit' })
      return result
    } catch (error) {
      // Nothing is left of a write whose thread has ended.
      await thread.ask({ kind: 'rollback' }).catch(() => {})
      throw this.#faultOf(error, isCommitting)
    }
  }

  #faultOf(error: unknown, isCommitting: boolean): unknown {
    const fault = translate(error)
    if (fault instanceof FatalStoreFault) {
      this.#options.onFatal(fault)
      return outcomeUnknown(fault)
    }
    if (isCommitting && fault === error) return commitOutcomeUnknown(error)
    return error instanceof ThreadEnded ? storeUnavailable(error.message, error) : fault
  }

  async close(): Promise<void> {
    await this.#before
    if (this.#thread) await this.#thread.end()
  }
}
