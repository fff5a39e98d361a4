// D16: what a replicator such as Litestream copies from the log of SQLite, the service leaves there.
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { openStore } from '../../src/databases/open/open-store.ts'
import { STORE_KINDS } from '../support/world.ts'
import { newPlace } from '../support/world-templates.ts'

/** It has been there since the file was created. */
const FIRST_PAGE_BYTES = 4_096
const ACTOR = { userId: 'tester', clientId: 'tests', requestId: 'r1' }

async function sizesAfter(leavesLog: boolean): Promise<{ file: number; log: number }> {
  const { data } = await newPlace('sqlite')
  const sizeOf = (end: string) => statSync(join(data, `tabularium.db${end}`)).size
  const store = await openStore({ data, leavesLog, clock: () => new Date(), observe: () => {}, onFatal: () => {} })
  // The last connection that is closed copies the log: that is the replicator's.
  const other = new DatabaseSync(join(data, 'tabularium.db'), { readOnly: true })
  other.prepare('select count(*) from customer').get()
  try {
    await store.writeSetup(ACTOR, async (tx) => void (await tx.in('EN')))
    await store.close()
    return { file: sizeOf(''), log: sizeOf('-wal') }
  } finally {
    other.close()
    rmSync(data, { recursive: true })
  }
}

describe.runIf(STORE_KINDS.includes('sqlite'))('The log of SQLite', () => {
  it('is left to a replicator, to the end', async () => {
    const { file, log } = await sizesAfter(true)
    expect([file, log > FIRST_PAGE_BYTES]).toEqual([FIRST_PAGE_BYTES, true])
  })

  it('is copied into the file at the end where there is none', async () => {
    const { file, log } = await sizesAfter(false)
    expect([file > FIRST_PAGE_BYTES, log]).toEqual([true, 0])
  })
})
