// `files sweep` beside a running service on PostgreSQL: a content that is swept while it is uploaded again is
// either stored when the upload is acknowledged, or not acknowledged. FUZZ_RUNS sets the number of random races.
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openRecords } from '../../../src/app/setup/open-records.ts'
import { openFileStore } from '../../../src/files/open-file-store.ts'
import { type FilesToCheck, findUnreferenced } from '../../../src/records/documents/document/check-files.ts'
import { SWEPT_MS } from '../../../src/records/documents/document/store-content.ts'
import { base64, DOCUMENTS, noteOf, post, urlOf } from '../../support/documents.ts'
import { randomNumbers, SEED } from '../../support/reliability-test.ts'
import { asSuperuser } from '../../support/test-database.ts'
import { type Answer, STORE_KINDS, startWorld, type World } from '../../support/world.ts'
import { age, pathOf, tornFiles } from './content-files.ts'
import { sha256 } from './document-client.ts'

const ROUNDS = Number(process.env.FUZZ_RUNS ?? 15)
const CONTENTS = 6
/** Uploads of each content, started at different times. */
const UPLOADS = 2
const UPLOADS_WITHIN_MS = 60
const SWEEPS_WITHIN_MS = 20
const SIZE = 3_000
const LOCK = `select last_entry from journal_counter where company_id = 'EN' for update`

describe.runIf(STORE_KINDS.includes('postgres'))('a content that is swept and sent again', () => {
  const random = randomNumbers(SEED)
  let now = () => new Date()
  let world: World & { stop(): Promise<void> }
  let root = ''
  /** The command's own store and files. */
  let parts: FilesToCheck
  let close = async () => {}
  let admin: pg.Client

  beforeAll(async () => {
    world = await startWorld('postgres', 'test/fixtures/documents.yaml', '', { clock: () => now() })
    const database = world.databaseUrl()
    const records = await openRecords({ data: world.folder, database, observe: () => {}, onFatal: () => {} })
    const { store: files } = await openFileStore({ files: undefined, data: world.folder })
    parts = { store: records.service.store, companies: records.service.companies, files }
    close = async () => {
      await files.close()
      await records[Symbol.asyncDispose]()
    }
    root = join(world.folder, 'files')
    admin = new pg.Client({ connectionString: asSuperuser(database) })
    await admin.connect()
  })
  afterAll(async () => {
    await admin?.end()
    await close()
    await world?.stop()
  })

  /** An old, unreferenced content. */
  async function leftOver(): Promise<Buffer> {
    const content = randomBytes(SIZE)
    const { store, staging } = await openFileStore({ files: undefined, data: world.folder })
    await store.put('EN', await staging.take(Readable.from([content]), SIZE))
    age(pathOf(root, sha256(content)))
    return content
  }

  const upload = (content: Buffer): Promise<Answer> =>
    world.send({ as: 'integration', ...post(noteOf('Raced', { fileName: 'raced.bin', fileContent: base64(content) })) })

  /** Faults of the acknowledged documents. */
  async function lost(answers: readonly Answer[]): Promise<string[]> {
    const wrong: string[] = []
    for (const { json } of answers.filter(({ status }) => status === 201)) {
      const { status, text } = await world.send({ as: 'integration', url: urlOf(json.id) })
      if (status !== 200 || JSON.parse(text).fileContent !== json.fileContent) wrong.push(`${json.id}: ${status}`)
    }
    return wrong
  }

  /** Waits until this many sessions of the service and the command wait for the company's lock. */
  async function waiting(count: number): Promise<void> {
    const blocked = `select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    await vi.waitFor(async () => expect((await admin.query(blocked)).rows).toEqual([{ count }]), { timeout: 120_000 })
  }

  it('is not acknowledged when the sweep comes first, and stored again when that is long over', async () => {
    const content = await leftOver()
    const path = pathOf(root, sha256(content))
    await admin.query('begin')
    await admin.query(LOCK)
    const sweeping = findUnreferenced(parts, true)
    await waiting(1)
    const uploading = upload(content)
    await waiting(2)
    await admin.query('commit')

    const [{ swept }, { status, headers, json }] = await Promise.all([sweeping, uploading])
    expect({ swept, status, retryAfter: Number(headers['retry-after']) > 0, code: json.code }).toEqual({
      swept: 1,
      status: 503,
      retryAfter: true,
      code: 1020,
    })
    expect(existsSync(path)).toBe(false)
    expect((await upload(content)).status).toBe(503)

    now = () => new Date(Date.now() + SWEPT_MS + 1_000)
    const again = await upload(content)
    now = () => new Date()
    expect(again.status).toBe(201)
    expect(await lost([again])).toEqual([])
  })

  it('stays when the upload comes first', async () => {
    const content = await leftOver()
    await admin.query('begin')
    await admin.query(LOCK)
    const uploading = upload(content)
    await waiting(1)
    // As the sweep saw it, just before it was stored again.
    age(pathOf(root, sha256(content)))
    const sweeping = findUnreferenced(parts, true)
    await waiting(2)
    await admin.query('commit')

    const [{ swept }, answer] = await Promise.all([sweeping, uploading])
    expect({ swept, status: answer.status }).toEqual({ swept: 0, status: 201 })
    expect(await lost([answer])).toEqual([])
  })

  it(
    `is there whenever it is acknowledged, met by chance ${ROUNDS} times (TABULARIUM_SEED=${SEED})`,
    async () => {
      let swept = 0
      const statuses = new Map<number, number>()
      for (let round = 0; round < ROUNDS; round++) {
        const contents = await Promise.all(Array.from({ length: CONTENTS }, leftOver))
        const within = (ms: number) => new Promise((resume) => setTimeout(resume, random() * ms))
        // Two administrators may sweep at once.
        const sweeping = [1, 2].map(() => within(SWEEPS_WITHIN_MS).then(() => findUnreferenced(parts, true)))
        const sent = contents.flatMap((content) => Array.from({ length: UPLOADS }, () => content))
        const answers = await Promise.all(sent.map((content) => within(UPLOADS_WITHIN_MS).then(() => upload(content))))
        for (const found of await Promise.all(sweeping)) swept += found.swept
        for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1)
        expect(await lost(answers)).toEqual([])
      }
      console.log(`sweep test: ${swept} swept, uploads answered ${JSON.stringify(Object.fromEntries(statuses))}`)
      expect([...statuses.keys()].filter((status) => status !== 201 && status !== 503)).toEqual([])
      expect(tornFiles(root)).toEqual([])
      // No acknowledged document has disappeared later.
      const { total } = (await world.send({ as: 'integration', url: `${DOCUMENTS}?limit=0` })).json
      const gone = await world.query('select distinct file_hash from document_revision')
      expect(total).toBe((statuses.get(201) ?? 0) + 2)
      expect(gone.filter(({ file_hash }) => !existsSync(pathOf(root, String(file_hash))))).toEqual([])
    },
    600_000 + ROUNDS * 2_000,
  )
})
