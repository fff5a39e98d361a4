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

export type QuotaKeeper = ReturnType<typeof quotaKeeper>

export function quotaKeeper(source: ErpSource, store: Store, lease: Lease, now: () => number) {
  const { quota } = source
  let told: QuotaUse | undefined
  let keeping: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  /** What is asked for meanwhile waits for it too. */
  const keep = (expected: number): Promise<void> => {
    keeping ??= keepMore(expected).finally(() => {
      keeping = undefined
    })
    return keeping
  }

  const keepMore = async (expected: number): Promise<void> => {
    const kept = quota.keep(now(), expected)
    await write(kept)
    quota.allow(kept.ahead)
  }

  const write = async (kept: KeptUse): Promise<void> => {
    const used = quota.used(now())
    await store.writeState(lease.companyId, MIRROR_LEASES.member, async (tx) => {
      await requireLease(tx, lease)
      putUse(tx, { used, kept })
    })
    told = used
  }

  const tell = async (): Promise<void> => {
    if (isDeepStrictEqual(quota.used(now()), told)) return
    try {
      await keep(0)
    } catch {
      // It is told again when it changes.
    }
  }

  return {
    source,

    /** What others have used, or this process before other rules were in force, counts on. Throws `LeaseLost`. */
    async start(): Promise<void> {
      const kept = await findKeptUse(store.reading(lease.companyId))
      if (kept) quota.restore(kept, now())
      source.keepUse = keep
      await keep(0)
      timer = setInterval(() => void tell(), TELL_MS).unref()
    },

    async stop(): Promise<void> {
      clearInterval(timer)
      source.keepUse = undefined
      try {
        await write(quota.keepLast(now()))
      } catch {
        // It is what was kept before, with what might have been asked for.
      }
    },
  }
}
