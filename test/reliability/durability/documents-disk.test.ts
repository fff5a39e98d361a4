// A full file store, while the database has free space: clients are told to retry, and no acknowledged content is lost.

import { randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DOCUMENTS, REVISIONS } from '../../support/documents.ts'
import { call, integrityOf, kill, rowsOf, run, type Serving, serve, temporaryFolder } from '../../support/process.ts'
import { canMountDisk, onTestDisk, pathSeenBy } from '../../support/test-disk.ts'
import { contentsIn, staged, tornFiles } from './content-files.ts'
import { fetchWhole, sendFile, sha256 } from './document-client.ts'

const DISK_BYTES = 20 * 1024 * 1024
const FILLER_BYTES = 6 * 1024 * 1024
const CLIENTS = 8
/** Much more than fits on the disk. */
const UPLOADS_EACH = 40
const LARGEST_BYTES = 2_500_000
/** Small contents fit for a while where large ones do not. */
const SIZES = [LARGEST_BYTES, 900_000, 300_000, 40_000]

interface StoredContent {
  readonly id: string
  readonly revisionNo: number
  readonly title: string
  readonly hash: string
}

describe.skipIf(!canMountDisk)('the document archive on a disk that is full', () => {
  const folder = temporaryFolder()
  const disk = join(folder.path, 'disk')
  const data = ['--data', join(folder.path, 'data')]
  const stored: StoredContent[] = []
  const refused: { status: number; retryAfter: string | null; text: string }[] = []
  let service: Serving
  /** The path of the disk in the service's mount namespace. */
  let seen = ''

  beforeAll(async () => {
    mkdirSync(disk)
    service = await serve([...data, '--files', join(disk, 'files'), '--setup', 'test/fixtures/documents.yaml'], {
      before: onTestDisk(disk, DISK_BYTES),
    })
    seen = pathSeenBy(service.child.pid ?? 0, disk)
    writeFileSync(join(seen, 'filler'), Buffer.alloc(FILLER_BYTES))
  })
  afterAll(async () => {
    if (service) await kill(service)
    folder.remove()
  })

  /** Uploads one content of a size, as JSON or as a form, as a new document or a revision of the first. */
  async function upload(title: string, size: number, nth: number): Promise<number> {
    const content = randomBytes(size)
    const isRevision = nth % 5 === 4 && stored[0] !== undefined
    const [url, fields] = isRevision
      ? [`${REVISIONS}/${stored[0]?.id}`, { comment: title, fileName: 'full.bin' }]
      : [DOCUMENTS, { docType: 'NOTE', title, fileName: 'full.bin' }]
    const { status, headers, text } = await sendFile(service.address + url, fields, content, nth % 2 === 0)
    if (status === 201) {
      const { id, revisionNo } = JSON.parse(text)
      stored.push({ id, revisionNo, title, hash: sha256(content) })
    } else refused.push({ status, retryAfter: headers.get('retry-after'), text })
    return status
  }

  it('answers 503 with Retry-After to what does not fit, and everything else as usual', async () => {
    const other: number[] = []
    const uploading = Array.from({ length: CLIENTS }, async (_, id) => {
      for (let nth = 0; nth < UPLOADS_EACH; nth++) await upload(`F${id}N${nth}`, SIZES[nth % SIZES.length]!, nth)
    })
    const asking = askWhile(Promise.all(uploading), async () => {
      other.push((await call(`${service.address}${DOCUMENTS}?limit=5`)).status)
      other.push((await call(`${service.address}/health/ready`)).status)
    })
    await Promise.all([...uploading, asking])

    expect(stored.length).toBeGreaterThan(SIZES.length)
    expect(refused.length).toBeGreaterThan(CLIENTS)
    const reported = refused.map(({ status, retryAfter, text }) => `${status} ${Number(retryAfter) > 0} ${text}`)
    expect([...new Set(reported)]).toEqual([expect.stringMatching(/^503 true .*there is no room left on the disk/)])
    expect(new Set(other)).toEqual(new Set([200]))
  })

  it('still describes, changes and deletes documents', async () => {
    const url = `${service.address}${DOCUMENTS}/${stored[0]?.id}`
    const body = [{ op: 'replace', path: '/description', value: 'changed on a full disk' }]
    expect((await call(url, { method: 'PATCH', body })).status).toBe(200)
    expect((await call(url)).text).toContain('changed on a full disk')
    expect((await call(`${url}/thumbnail`)).status).toBe(200)
    const last = `${service.address}${DOCUMENTS}/${stored.at(-1)?.id}`
    expect((await call(last, { method: 'DELETE' })).status).toBe(200)
    expect((await call(`${last}/content`)).status).toBe(200)
  })

  it('has no partial content under its name, and no staged file left over', () => {
    expect(tornFiles(join(seen, 'files'))).toEqual([])
    expect(staged(join(seen, 'files'))).toEqual([])
    const referred = rowsOf(join(folder.path, 'data'), 'select distinct file_hash as hash from document_revision')
    expect(referred.map(({ hash }) => String(hash)).sort()).toEqual(stored.map(({ hash }) => hash).sort())
    const there = new Set(contentsIn(join(seen, 'files')).map(({ hash }) => hash))
    expect(stored.filter(({ hash }) => !there.has(hash))).toEqual([])
  })

  it('accepts files again as soon as there is free space', async () => {
    expect(await upload('still full', LARGEST_BYTES, 0)).toBe(503)
    rmSync(join(seen, 'filler'))
    expect(await upload('room again', LARGEST_BYTES, 0)).toBe(201)
    expect(await upload('room again, as JSON', LARGEST_BYTES, 1)).toBe(201)
  })

  it('has every acknowledged content', async () => {
    for (const { id, revisionNo, title, hash } of stored) {
      const { status, bytes } = await fetchWhole(`${service.address}${REVISIONS}/${id}/${revisionNo}/content`)
      expect({ title, status, hash: sha256(bytes) }).toEqual({ title, status: 200, hash })
    }
    // The disk is removed with the process.
    const copy = join(folder.path, 'copy')
    cpSync(join(seen, 'files'), copy, { recursive: true })
    const { stderr } = await kill(service)
    expect(stderr).not.toContain('"level":"error"')
    expect(integrityOf(join(folder.path, 'data'))).toBe('ok')
    const { code, stdout } = await run(['files', 'check', ...data, '--files', copy])
    const reported = `${stored.length} files read: 0 missing, 0 damaged; 0 unreferenced\n`
    expect({ code, stdout }).toEqual({ code: 0, stdout: reported })
  })
})

/** Repeats requests until the work is done. */
async function askWhile(work: Promise<unknown>, ask: () => Promise<void>): Promise<void> {
  let isDone = false
  work.finally(() => (isDone = true)).catch(() => {})
  while (!isDone) await ask()
}
