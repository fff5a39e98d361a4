// A backup whose files and numbers of rows agree with its manifest, and whose change log lacks entries: whoever has
// taken them away has done the rest as well.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, it } from 'vitest'
import { MANIFEST, printManifest, readManifest } from '../../src/backup/manifest.ts'
import { faultsOf } from '../reliability/durability/crash/backups.ts'
import { emptyLocation, stateOf } from '../support/data-location.ts'
import { linesOf, run, SETUP, temporaryFolder } from '../support/process.ts'
import { STORE_KINDS, type StoreKind } from '../support/world.ts'

/** Takes the last entries of the company EN away; returns how many rows of the change log are left. */
const TAKE_AWAY: Record<StoreKind, (folder: string) => number> = {
  sqlite: (folder) => {
    const file = new DatabaseSync(join(folder, 'tabularium.db'))
    file.exec(`delete from journal_entry where company_id = 'EN' and entry_no > 10`)
    const row = file.prepare('select count(*) as count from journal_entry').get()
    file.close()
    return Number(row?.count)
  },
  postgres: (folder) => {
    const path = join(folder, 'journal_entry.ndjson')
    const [head = '', ...rows] = linesOf(readFileSync(path, 'utf8'))
    const { columns } = JSON.parse(head) as { columns: string[] }
    const [company, number] = ['company_id', 'entry_no'].map((name) => columns.indexOf(name)) as [number, number]
    const left = rows.filter((row) => {
      const cells = JSON.parse(row) as string[]
      return cells[company] !== 'EN' || Number(cells[number]) <= 10
    })
    writeFileSync(path, [head, ...left].map((line) => `${line}\n`).join(''))
    return left.length
  },
}

/** Writes the manifest that the files would have had. */
async function pretend(target: string, entries: number): Promise<void> {
  const manifest = await readManifest(target)
  const { database } = manifest
  const files = database.files.map(({ name }) => {
    const content = readFileSync(join(stateOf(target), name))
    return { name, sha256: createHash('sha256').update(content).digest('hex'), sizeBytes: content.length }
  })
  const tables = { ...database.tables, journal_entry: entries }
  writeFileSync(join(target, MANIFEST), printManifest({ ...manifest, database: { ...database, files, tables } }))
}

describe.each(STORE_KINDS)('A backup without entries of the change log, on %s', (kind) => {
  const folder = temporaryFolder()
  afterAll(() => folder.remove())

  it('is told by verify, although its files agree with its manifest', async () => {
    const place = await emptyLocation(kind, join(folder.path, 'data'))
    const target = join(folder.path, 'backup')
    await run(['setup', SETUP, ...place.flags])
    expect(await run(['backup', target, ...place.flags])).toMatchObject({ code: 0 })
    expect(await faultsOf(target)).toEqual([])
    await pretend(target, TAKE_AWAY[kind](stateOf(target)))

    expect(await run(['verify', target])).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^the change log of company 'EN' has \d+ entries instead of \d+\n.*: 1 fault\n$/),
    })
  })
})
