// Does the batch operations of all companies that no other process does, and forgets those that have ended long ago.
import { deleteContents, markContents } from '../lifecycle/contents.ts'
import { HeldLeases, type LeaseTimes } from '../store/held-leases.ts'
import { forgetImportedRows } from '../store/service-state/import-store.ts'
import type { Actor } from '../store/store.ts'
import { deleteExpired, forgetFileOf, listExpired, listOldFiles } from './expired-store.ts'
import { OPERATION_LEASES } from './held-operation-store.ts'
import { OperationRun, type RunParts } from './operation-run.ts'

/** In one process, each of another company. */
const MAX_AT_ONCE = 2
const CLEAN_MS = 10 * 60_000
const HOUR_MS = 3_600_000
/** A body may be looked for by the client that has sent it: it is removed as long after the end. */
const FILE_KEPT_MS = HOUR_MS
const RESULTS_KEPT_MS = 7 * 24 * HOUR_MS
/** A company keeps no more of them, whatever their age. */
const MOST_KEPT = 1_000

/** The service itself. */
const SERVICE: Actor = { userId: '', clientId: '', requestId: '' }

export class BatchOperations {
  readonly #parts: RunParts
  readonly #leases: HeldLeases<OperationRun>
  #timer: NodeJS.Timeout | undefined
  #cleaning: Promise<void> = Promise.resolve()

  constructor({ leaseMs, lookMs, ...parts }: RunParts & LeaseTimes) {
    this.#parts = parts
    this.#leases = new HeldLeases({
      store: parts.store,
      companies: parts.companies,
      table: OPERATION_LEASES,
      begin: (lease, validUntil) => new OperationRun(lease, validUntil, parts),
      onEnded: (companyId) => this.wake(companyId),
      most: MAX_AT_ONCE,
      leaseMs,
      lookMs,
    })
    parts.metrics.running = () => this.#leases.all.length
  }

  /** From now on this process does operations. */
  start(): void {
    this.#leases.start()
    this.#timer = setInterval(() => {
      // A store that cannot be asked now is told by those who need an answer.
      this.#cleaning = this.clean().catch(() => {})
    }, CLEAN_MS).unref()
  }

  /** There may be something to do in the company. */
  wake(companyId: string): void {
    this.#leases.look(companyId)
  }

  /** Ends after the part under way: another process goes on. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#cleaning
    await this.#leases.stop()
  }

  /** Removes bodies that are not needed any more, and forgets operations that ended long ago. */
  async clean(): Promise<void> {
    for (const { id } of this.#parts.companies.all) {
      await this.#removeFiles(id)
      await this.#forget(id)
    }
  }

  async #removeFiles(companyId: string): Promise<void> {
    const { store, files } = this.#parts
    const before = this.#ago(FILE_KEPT_MS)
    if ((await listOldFiles(store.reading(companyId), before)).length === 0) return
    const marked = await store.write(companyId, SERVICE, async (tx) => {
      const old = await listOldFiles(tx, before)
      for (const { id } of old) forgetFileOf(tx, id)
      return markContents(
        tx,
        old.map(({ hash }) => hash),
      )
    })
    await deleteContents(files, companyId, marked)
  }

  async #forget(companyId: string): Promise<void> {
    const { store } = this.#parts
    const expired = await listExpired(store.reading(companyId), this.#ago(RESULTS_KEPT_MS), MOST_KEPT)
    if (expired.length === 0) return
    await store.writeState(companyId, OPERATION_LEASES.member, async (tx) => {
      for (const { operation_id, document } of expired) {
        forgetImportedRows(tx, document, operation_id)
        deleteExpired(tx, operation_id)
      }
    })
  }

  #ago(ms: number): string {
    return new Date(this.#parts.clock().getTime() - ms).toISOString()
  }
}
