// The audit chains of the change log with several writing processes, and with one that is killed during an import.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  call,
  type Folder,
  kill,
  rowsOf,
  run,
  SETUP,
  type Serving,
  serve,
  start,
  temporaryFolder,
} from '../../support/process.ts'
import { asSuperuser, newDatabase, queryOn } from '../../support/test-database.ts'
import { CLIENT_SECRET, STORE_KINDS } from '../../support/world.ts'

const PROCESSES = 2
const CLIENTS = 6
const WRITES = 15
const ROWS = 6_000

const both = `Basic ${Buffer.from(`both:${CLIENT_SECRET}`).toString('base64')}`

let folder: Folder
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

/** Writes to two companies in turn; returns the number of acknowledged writes. */
async function writeMany({ address }: Serving, name: string): Promise<number> {
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
  it(`keep each company's chain intact while ${PROCESSES} of them write`, async () => {
    const database = await newDatabase()
    const args = (no: number) => ['--data', join(folder.path, String(no)), '--database', database]
    await run(['setup', SETUP, ...args(0)])
    const services = await Promise.all(
      Array.from({ length: PROCESSES }, (_, no) => serve([...args(no), '--shutdown-grace', '0'])),
    )
    try {
      const counts = await Promise.all(
        services.flatMap((service, no) =>
          Array.from({ length: CLIENTS }, (_, client) => writeMany(service, `P${no}C${client}`)),
        ),
      )
      expect(counts.reduce((sum, count) => sum + count)).toBe(PROCESSES * CLIENTS * WRITES * 2)
      const verified = await run(['audit', 'verify', ...args(0)])
      expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining('3 of 3 chains are whole') })

      const { stdout: heads } = await run(['audit', 'head', ...args(0)])
      expect(await run(['audit', 'verify', ...args(0), '--since', ...heads.trim().split('\n')])).toMatchObject({
        code: 0,
      })
    } finally {
      await Promise.all(services.map(kill))
    }

    await queryOn(
      asSuperuser(database),
      `update journal_entry set request_id = 'another-one' where company_id = 'SV' and entry_no = 9`,
    )
    const found = await run(['audit', 'verify', ...args(0)])
    expect(found).toMatchObject({ code: 1, stdout: expect.stringMatching(/^changed: entry 9 of company SV: /) })
  })
})

describe.runIf(STORE_KINDS.includes('sqlite'))('an import', () => {
  it('leaves an intact chain when it is killed, and when it is resumed', async () => {
    const data = ['--data', folder.path]
    await run(['setup', SETUP, ...data])
    const file = join(folder.path, 'values.csv')
    const rows = Array.from({ length: ROWS }, (_, row) => `C1,I${row},Imported`)
    writeFileSync(file, `attributeId,attributeValue,description\n${rows.join('\n')}\n`)
    const args = ['import', 'attribute-values', file, '--company', 'EN', ...data]

    const importing = start(args)
    const written = () => Number(rowsOf(folder.path, 'select count(*) as n from import_progress')[0]?.n)
    while (written() === 0 && importing.child.exitCode === null) await new Promise((resume) => setTimeout(resume, 20))
    await kill(importing)
    expect(await run(['audit', 'verify', ...data])).toMatchObject({ code: 0, stderr: '' })

    expect(await run(args)).toMatchObject({ code: 0 })
    expect(await run(['audit', 'verify', ...data])).toMatchObject({ code: 0, stderr: '' })
  })
})
