// Notices the commits of other services on the database.

import { lastChangeNumber } from '../../store/change-number.ts'
import type { CommittedByOthers } from '../../store/newest-entries.ts'
import type { ReadTx } from '../../store/store.ts'

/** With the round trips, a change reaches a reader at another service within 50 ms. */
const EVERY_MS = 40

/** Asks for one company after the other, in one session at a time. */
export function committedByOthers(reading: (companyId: string) => ReadTx): CommittedByOthers {
  return {
    everyMs: EVERY_MS,
    read: async (companyIds) => {
      const newest = new Map<string, number>()
      for (const companyId of companyIds) newest.set(companyId, await lastChangeNumber(reading(companyId)))
      return newest
    },
  }
}
