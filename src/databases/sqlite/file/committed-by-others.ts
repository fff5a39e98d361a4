// Notices the commits of other processes on the file.

import { lastChangeNumber } from '../../../store/change-number.ts'
import type { CommittedByOthers } from '../../../store/newest-entries.ts'
import type { ReadTx } from '../../../store/store.ts'
import { type Connection, firstColumn, prepareArrays } from '../dialect/connection.ts'

/** The question costs some microseconds. */
const EVERY_MS = 20

/** `writer`: the connection of this process that writes, to which SQLite reports only the commits of others. */
export function committedByOthers(writer: Connection, reading: (companyId: string) => ReadTx): CommittedByOthers {
  const dataVersion = prepareArrays(writer, 'pragma data_version')
  let last: unknown
  return {
    everyMs: EVERY_MS,
    read: async (companyIds, isNew) => {
      const version = firstColumn(dataVersion, [])
      const isUnchanged = version === last && !isNew
      last = version
      if (isUnchanged) return new Map()
      return new Map(
        await Promise.all(companyIds.map(async (id) => [id, await lastChangeNumber(reading(id))] as const)),
      )
    },
  }
}
