// Files that were acknowledged are there, whole: the real process is killed in the middle of uploads, again and again.
// KILLS sets how often; TABULARIUM_SEED repeats the times, sizes and choices of a run.
import { randomBytes, randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openFileStore } from '../../src/files/stores/open-file-store.ts'
import { DOCUMENTS } from '../support/documents.ts'
import { integrityOf, kill, rowsOf, run, type Serving, serve, temporaryFolder } from '../support/process.ts'
import { randomNumbers } from '../support/trial.ts'
import { age, contentsIn, pathOf, staged, tornFiles } from './content-files.ts'
import { DocumentClient, sendFile, sha256 } from './document-client.ts'

const KILLS = Number(process.env.KILLS ?? 3)
const SEED = Number(process.env.TABULARIUM_SEED ?? randomInt(2 ** 31))
const CLIENTS = 8
/** The service is killed this long after it was ready. */
const KILL_MS = [20, 800] as const
/** Of an upload by a process that has just begun, on a machine with other work. */
const KEPT_WITHIN_MS = 30_000
const SETUP = ['--setup', 'test/fixtures/documents.yaml']

/** Documents that are there by half: an index, a revision, the journal or the search lacks them, or a change was torn. */
const HALF_DOCUMENTS = `
  select * from (select d.document_id, d.title, d.doc_type, d.revision_no,
    (select count(*) from document_index i where i.document_id = d.document_id) as indexes,
    (select count(*) from document_revision r where r.document_id = d.document_id) as revisions,
    (select min(revision_no) || '-' || max(revision_no) from document_revision r where r.document_id = d.document_id) as numbers,
    (select count(*) from document_revision r where r.document_id = d.document_id and r.revision_no = d.revision_no
      and r.file_hash = d.file_hash and r.doc_size = d.doc_size and r.file_name = d.file_name) as newest,
    (select count(*) from document_text x join document_words w on w.rowid = x.search_no
      where x.document_id = d.document_id) as texts,
    (select count(*) from journal_entry j where j.entity = 'document' and j.operation = 'create'
      and j.record_key = json_array(d.document_id)) as entries,
    (select count(*) from journal_entry j join document_revision r on j.record_key = json_array(r.document_id, r.revision_no)
      where j.entity = 'document-revision' and r.document_id = d.document_id) as revision_entries,
    (select count(*) from document_index i where i.document_id = d.document_id and i.sequence_no = 3
      and i.index_value <> d.description) as torn
    from document d)
  where indexes <> iif(doc_type = 'INVOICE', 3, 0) or revisions <> revision_no or numbers <> '1-' || revision_no
    or newest <> 1 or texts <> 1 or entries <> 1 or revision_entries <> revision_no - 1 or torn <> 0`

const ORPHANS = `
  select document_id as id from document_index union select document_id from document_revision
  union select document_id from document_text
  union select record_key ->> 0 from journal_entry where entity in ('document', 'document-revision')
  except select document_id from document`

const REFERRED = 'select distinct file_hash from document_revision'
const SOUND = /^[\d,]+ files read: 0 missing, 0 damaged; /

const check = (folder: string, ...more: string[]) => run(['files', 'check', '--data', folder, ...more])

describe(`the document archive, killed ${KILLS} times while ${CLIENTS} clients upload (TABULARIUM_SEED=${SEED})`, () => {
  const folder = temporaryFolder()
  const files = join(folder.path, 'files')
  const data = ['--data', folder.path, ...SETUP]
  const random = randomNumbers(SEED)
  const clients = Array.from({ length: CLIENTS }, (_, id) => new DocumentClient(id, randomNumbers(SEED + id + 1)))
  let service: Serving | undefined

  const lost = async (address: string, isEver = false): Promise<string[]> =>
    (await Promise.all(clients.map((client) => client.lost(address, isEver)))).flat()

  beforeAll(() => console.log(`document kill test: TABULARIUM_SEED=${SEED} KILLS=${KILLS}`))
  afterAll(async () => {
    if (service) await kill(service)
    folder.remove()
  })

  it(
    'keeps every acknowledged content, and of the other requests all or nothing',
    async () => {
      service = await serve(data)
      const shared = await clients[0]?.create(service.address)
      await kill(service)
      let leftovers = 0
      for (let round = 0; round < KILLS; round++) {
        const begun = Date.now()
        service = await serve(data)
        const { address } = service
        // Every other time it is killed while it is still cold.
        if (round % 2 === 0) await Promise.all(clients.map((client) => client.create(address)))
        const writing = clients.map((client) => client.write(address, shared ?? ''))
        await new Promise((resume) => setTimeout(resume, KILL_MS[0] + random() * (KILL_MS[1] - KILL_MS[0])))
        const { signal } = await kill(service)
        await Promise.all(writing)
        const integrity = integrityOf(folder.path)
        expect({ round, signal, integrity }).toEqual({ round, signal: 'SIGKILL', integrity: 'ok' })
        expect(halves(folder.path)).toEqual([])
        expect(tornFiles(files, begun)).toEqual([])
        leftovers += staged(files).length

        service = await serve(data)
        expect(staged(files)).toEqual([])
        expect(await lost(service.address)).toEqual([])
        expect(clients.flatMap((client) => client.refused)).toEqual([])
        await kill(service)
        expect(unknown(folder.path, clients)).toEqual([])
        const { code, stdout, stderr } = await check(folder.path)
        expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: expect.stringMatching(SOUND), stderr: '' })
      }
      const kept = clients.reduce((sum, client) => sum + client.kept.length, 0)
      console.log(`document kill test: ${kept} contents acknowledged, none lost; ${leftovers} begun ones swept`)
      expect(kept).toBeGreaterThan(KILLS)
    },
    60_000 + KILLS * 60_000,
  )

  it(
    'loses nothing acknowledged when what nobody refers to is swept',
    async () => {
      await keepForNobody(folder.path)
      const referred = rowsOf(folder.path, REFERRED).map((row) => String(row.file_hash))
      const all = contentsIn(files)
      const left = all.length - referred.length
      for (const { path } of all) age(path)

      const { code, stdout } = await check(folder.path, '--sweep')
      const told = expect.stringMatching(new RegExp(`; ${left} unreferenced .*, ${left} taken away\n$`))
      expect({ code, stdout }).toEqual({ code: 0, stdout: told })
      const there = contentsIn(files).map(({ hash }) => hash)
      expect(there.sort()).toEqual(referred.sort())
      console.log(`document kill test: ${left} contents that nobody refers to swept`)

      service = await serve(data)
      expect(await lost(service.address, true)).toEqual([])
    },
    60_000 + KILLS * 20_000,
  )
})

describe('the document archive, killed between a content and its record', () => {
  const folder = temporaryFolder()
  const data = ['--data', folder.path, ...SETUP]
  const content = randomBytes(700_000)
  const path = pathOf(join(folder.path, 'files'), sha256(content))
  const fields = { docType: 'NOTE', title: 'Between', fileName: 'between.bin' }
  let service: Serving | undefined
  afterAll(async () => {
    if (service) await kill(service)
    folder.remove()
  })

  it('has the content whole, and refers to it nowhere', async () => {
    service = await serve(data)
    // Nobody else can write the record while we hold the database.
    const holder = new Database(join(folder.path, 'tabularium.db'))
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
    const told = '0 files read: 0 missing, 0 damaged; 1 unreferenced (684 KiB), 0 taken away\n'
    expect({ code, stdout }).toEqual({ code: 0, stdout: told })
  })

  it('has it for the caller who sends it again, and nothing left over', async () => {
    service = await serve(data)
    expect((await sendFile(service.address + DOCUMENTS, fields, content, true)).status).toBe(201)
    await kill(service)
    const { code, stdout } = await check(folder.path)
    expect({ code, stdout }).toEqual({ code: 0, stdout: '1 files read: 0 missing, 0 damaged; 0 unreferenced\n' })
  })
})

function halves(folder: string): unknown[] {
  return [...rowsOf(folder, HALF_DOCUMENTS), ...rowsOf(folder, ORPHANS)]
}

/** Hashes of the database that nobody has ever sent. */
function unknown(folder: string, clients: readonly DocumentClient[]): string[] {
  const hashes = rowsOf(folder, REFERRED).map((row) => String(row.file_hash))
  return hashes.filter((hash) => !clients.some((client) => client.sent.has(hash)))
}

/** As a request does that is killed before it writes its record. */
async function keepForNobody(folder: string): Promise<void> {
  const { store, staging } = await openFileStore({ files: undefined, data: folder })
  await store.keep('EN', await staging.take(Readable.from([randomBytes(50_000)]), 50_000))
  await store.close()
}
