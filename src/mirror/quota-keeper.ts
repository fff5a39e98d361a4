// Keeps what the holder of a company's lease uses of the quotas of its source: for those who ask other processes how
// much that is, and for whoever asks the source next. A process that is killed has asked for no more than was kept.
import { isDeepStrictEqual } from 'node:util'
import type { Lease } from '../store/lease-table.ts'
import type { Store } from '../store/store.ts'
import { findKeptUse, MIRROR_LEASES, putUse, requireLease } from './mirror-store.ts'
import type { ErpSource } from './source/source.ts'
import type { KeptUse, QuotaUse } from './source/source-quota.ts'

/** It is told as often. */
const TELL_MS = 3_000

export class QuotaKeeper {
  readonly source: ErpSource
  readonly #store: Store
  readonly #lease: Lease
  readonly #now: () => number
  #told: QuotaUse | undefined
  #keeping: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(source: ErpSource, store: Store, lease: Lease, now: () => number) {
    this.source = source
    this.#store = store
    this.#lease = lease
    this.#now = now
  }

  /** What others have used, or this process before other rules were in force, counts on. Throws `LeaseLost`. */
  async start(): Promise<void> {
    const kept = await findKeptUse(this.#store.reading(this.#lease.companyId))
    if (kept) this.source.quota.restore(kept, this.#now())
    this.source.keepUse = (expected) => this.#keep(expected)
    await this.#keep(0)
    this.#timer = setInterval(() => void this.#tell(), TELL_MS).unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.source.keepUse = undefined
    try {
      await this.#write(this.source.quota.keepLast(this.#now()))
    } catch {
      // It is what was kept before, with what might have been asked for.
    }
  }

  async #tell(): Promise<void> {
    if (isDeepStrictEqual(this.source.quota.used(this.#now()), this.#told)) return
    try {
      await this.#keep(0)
    } catch {
      // It is told again when it changes.
    }
  }

  /** What is asked for meanwhile waits for it too. */
  #keep(expected: number): Promise<void> {
    this.#keeping ??= this.#keepMore(expected).finally(() => {
      this.#keeping = undefined
    })
    return this.#keeping
  }

  async #keepMore(expected: number): Promise<void> {
    const { quota } = this.source
    const kept = quota.keep(this.#now(), expected)
    await this.#write(kept)
    quota.allow(kept.ahead)
  }

  async #write(kept: KeptUse): Promise<void> {
    const used = this.source.quota.used(this.#now())
    await this.#store.writeState(this.#lease.companyId, MIRROR_LEASES.member, async (tx) => {
      await requireLease(tx, this.#lease)
      putUse(tx, { used, kept })
    })
    this.#told = used
  }
}
