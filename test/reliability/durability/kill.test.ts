// D1: acknowledged writes are stored, completely and once: the real process is killed repeatedly during writes.
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Readable } from 'node:stream'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { openFileStore } from '../../../src/files/open-file-store.ts'
import { emptyLocation } from '../../support/data-location.ts'
import { DOCUMENTS } from '../../support/documents.ts'
import { call, kill, rowsOf, run, type Serving, serve, serveHere, temporaryFolder } from '../../support/process.ts'
import { reliabilityTest, triesOf } from '../../support/reliability-test.ts'
import { STORE_KINDS } from '../../support/world.ts'
import { age, contentsIn, pathOf, tornFiles } from './content-files.ts'
import { CrashRun } from './crash/crash-run.ts'
import { killRounds } from './crash/kill-rounds.ts'
import { sendFile, sha256 } from './document-client.ts'

const KILLS = triesOf({ long: 2, full: 500 })
/** The time limit for an upload by a process that has just started, on a busy machine. */
const KEPT_WITHIN_MS = 120_000

const check = (folder: string, how = 'check') => run(['files', how, '--data', folder])

describe.runIf(STORE_KINDS.includes('sqlite'))('D1 the service on SQLite, killed while 8 clients write', () => {
  const folder = temporaryFolder()
  const data = join(folder.path, 'data')
  let crash: CrashRun
  afterAll(() => folder.remove())

  it(
    'D1 keeps every acknowledged write, and of the others all or nothing',
    async () => {
      await reliabilityTest('D1', 'no acknowledged write is lost when the service is killed, on SQLite', async () => {
        crash = await CrashRun.begin(await emptyLocation('sqlite', data))
        return killRounds(crash, KILLS)
      })
    },
    600_000 + KILLS * 10_000,
  )

  it('D1 loses nothing acknowledged when unreferenced contents are swept', { timeout: 600_000 }, async () => {
    await reliabilityTest('D1', 'what kills have left behind is swept, and nothing else', async () => {
      await keepForNobody(data)
      const referred = rowsOf(data, 'select distinct file_hash from document_revision').map((row) =>
        String(row.file_hash),
      )
      const all = contentsIn(crash.files)
      const left = all.length - referred.length
      for (const { path } of all) age(path)

      const { code, stdout } = await check(data, 'sweep')
      const reported = expect.stringMatching(new RegExp(`; ${left} unreferenced .*, ${left} taken away\n$`))
      expect({ code, stdout }).toEqual({ code: 0, stdout: reported })
      const there = contentsIn(crash.files).map(({ hash }) => hash)
      expect(there.sort()).toEqual(referred.sort())
      await crash.expectWhole()
      return `${left} of ${all.length} contents swept`
    })
  })
})

describe.runIf(STORE_KINDS.includes('sqlite'))('D1 the service, killed between a content and its record', () => {
  const folder = temporaryFolder()
  const data = ['--data', folder.path, '--setup', 'test/fixtures/crash.yaml']
  const content = randomBytes(700_000)
  const path = pathOf(join(folder.path, 'files'), sha256(content))
  const fields = { docType: 'NOTE', title: 'Between', fileName: 'between.bin' }
  let service: Serving | undefined
  afterAll(async () => {
    if (service) await kill(service)
    folder.remove()
  })

  it('D1 has the complete content, and no reference to it', async () => {
    service = await serve(data)
    // A secret that is not known yet is counted in the database before it is checked.
    expect((await call(service.address + DOCUMENTS)).status).toBe(200)
    // The test holds a lock on the database, so the record cannot be written.
    const holder = new DatabaseSync(join(folder.path, 'tabularium.db'))
    holder.exec('begin immediate')
    const answer = sendFile(service.address + DOCUMENTS, fields, content).catch(() => 'cut')
    try {
      await vi.waitFor(() => expect(existsSync(path)).toBe(true), { timeout: KEPT_WITHIN_MS, interval: 2 })
    } finally {
      await kill(service)
      holder.close()
    }
    expect(await answer).toBe('cut')
    expect(rowsOf(folder.path, 'select title from document')).toEqual([])
    expect(tornFiles(join(folder.path, 'files'))).toEqual([])
    const { code, stdout } = await check(folder.path)
    const reported = '0 files read: 0 missing, 0 damaged; 1 unreferenced (684 KiB), 0 taken away\n'
    expect({ code, stdout }).toEqual({ code: 0, stdout: reported })
  })

  it('D1 stores it for the caller who sends it again, and nothing is left over', async () => {
    const again = await serveHere(data)
    expect((await sendFile(again.address + DOCUMENTS, fields, content, true)).status).toBe(201)
    await again.stop()
    const { code, stdout } = await check(folder.path)
    expect({ code, stdout }).toEqual({ code: 0, stdout: '1 file read: 0 missing, 0 damaged; 0 unreferenced\n' })
  })
})

/** Stores a content like a request that is killed before it writes its record. */
async function keepForNobody(folder: string): Promise<void> {
  const { store, staging } = await openFileStore({ files: undefined, data: folder })
  await store.put('EN', await staging.take(Readable.from([randomBytes(50_000)]), 50_000))
  await store.close()
}
