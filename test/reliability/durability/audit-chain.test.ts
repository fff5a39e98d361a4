// The audit chains of the change log with several writing processes.
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  call,
  type Folder,
  kill,
  run,
  SETUP,
  type ServingHere,
  serve,
  serveHere,
  temporaryFolder,
} from '../../support/process.ts'
import { asSuperuser, newDatabase, queryOn } from '../../support/test-database.ts'
import { CLIENT_SECRET, STORE_KINDS } from '../../support/world.ts'

const CLIENTS = 6
const WRITES = 15

const both = `Basic ${Buffer.from(`both:${CLIENT_SECRET}`).toString('base64')}`

let folder: Folder
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

/** Writes to two companies in turn; returns the number of acknowledged writes. */
async function writeMany({ address }: Pick<ServingHere, 'address'>, name: string): Promise<number> {
  let written = 0
  for (let count = 0; count < WRITES; count++) {
    for (const companyId of ['EN', 'SV']) {
      const body = { companyId, attributeId: 'C1', attributeValue: `${name}N${count}` }
      const { status } = await call(`${address}/v1/attribute-values`, { method: 'POST', body, authorization: both })
      if (status === 201) written += 1
    }
  }
  return written
}

describe.runIf(STORE_KINDS.includes('postgres'))('several servers on one PostgreSQL', () => {
  it("keep each company's chain intact while two of them write", async () => {
    const database = await newDatabase()
    const args = (no: number) => ['--data', join(folder.path, String(no)), '--database', database]
    await run(['setup', SETUP, ...args(0)])
    const [other, here] = await Promise.all([serve(args(0)), serveHere(args(1))])
    try {
      const counts = await Promise.all(
        [other, here].flatMap((service, no) =>
          Array.from({ length: CLIENTS }, (_, client) => writeMany(service, `P${no}C${client}`)),
        ),
      )
      expect(counts.reduce((sum, count) => sum + count)).toBe(2 * CLIENTS * WRITES * 2)
      const verified = await run(['audit', 'verify', ...args(0)])
      expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining('3 of 3 chains are whole') })

      const { stdout: heads } = await run(['audit', 'head', ...args(0)])
      expect(await run(['audit', 'verify', ...args(0), '--since', ...heads.trim().split('\n')])).toMatchObject({
        code: 0,
      })
    } finally {
      await Promise.all([kill(other), here.stop()])
    }

    await queryOn(
      asSuperuser(database),
      `update journal_entry set request_id = 'another-one' where company_id = 'SV' and entry_no = 9`,
    )
    const found = await run(['audit', 'verify', ...args(0)])
    expect(found).toMatchObject({ code: 1, stdout: expect.stringMatching(/^changed: entry 9 of company SV: /) })
  })
})
