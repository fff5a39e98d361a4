// `files check` as a user runs it, on both kinds of file store: missing, damaged and unreferenced contents.
import { randomBytes } from 'node:crypto'
import { appendFileSync, globSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openFileStore } from '../../../src/files/open-file-store.ts'
import { DOCUMENTS, REVISIONS } from '../../support/documents.ts'
import { kill, linesOf, run, type Serving, serve, temporaryFolder } from '../../support/process.ts'
import { S3_ENVIRONMENT, type S3Service, startS3 } from '../../support/s3.ts'
import { age, flipBit, pathOf } from './content-files.ts'
import { sendFile, sha256 } from './document-client.ts'

const SIZE = 600_000
/** Each test starts several processes. */
const TIMEOUT_MS = 180_000

describe.each(['folder', 'S3'])('files check with files in %s', { timeout: TIMEOUT_MS }, (kind) => {
  const folder = temporaryFolder()
  let s3: S3Service | undefined
  let files = join(folder.path, 'files')
  let service: Serving | undefined
  const command = (how = 'check') => ['files', how, '--data', folder.path, '--files', files]
  const running = () => serve(['--data', folder.path, '--files', files, '--setup', 'test/fixtures/documents.yaml'])

  beforeAll(async () => {
    if (kind !== 'S3') return
    Object.assign(process.env, S3_ENVIRONMENT)
    s3 = await startS3()
    files = s3.url()
  })
  afterAll(async () => {
    if (service) await kill(service)
    await s3?.stop()
    folder.remove()
  })

  /** The file of a content. The S3 service of the tests stores a file for each object. */
  function fileOf(hash: string, companyId?: string): string {
    if (!s3) return pathOf(files, hash, companyId)
    const [found] = globSync(join(tmpdir(), 'tabularium-s3-*', '**', `${hash}._S3rver_object`))
    if (found === undefined) throw new Error(`no object has the hash ${hash}`)
    return found
  }

  /** Uploads a content; returns its hash and its name in the report. */
  async function add(content: Buffer, id?: string) {
    const fields = { docType: 'NOTE', title: 'Checked', comment: 'again', fileName: 'checked.bin' }
    const url = id === undefined ? DOCUMENTS : `${REVISIONS}/${id}`
    const { status, text } = await sendFile(service!.address + url, fields, content)
    expect({ status, text: status === 201 ? '' : text }).toEqual({ status: 201, text: '' })
    const made = JSON.parse(text) as { id: string; revisionNo: number }
    return { id: made.id, hash: sha256(content), name: `${made.id}/${made.revisionNo}` }
  }

  /** Stores a content without a record. */
  async function keepForNobody(companyId: string, hours: number): Promise<string> {
    const { store, staging } = await openFileStore({ files, data: folder.path })
    const staged = await staging.take(Readable.from([randomBytes(SIZE)]), SIZE)
    await store.put(companyId, staged)
    await store.close()
    age(fileOf(staged.hash, companyId), hours)
    return staged.hash
  }

  async function check(how?: string) {
    const { code, stdout, stderr } = await run(command(how))
    const lines = linesOf(stdout)
    return { code, reported: lines.slice(0, -1).sort(), closing: lines.at(-1), stderr }
  }

  const sound = (closing: string) => ({ code: 0, reported: [], closing, stderr: '' })

  it('reports no fault in an archive that is sound, or empty', async () => {
    service = await running()
    await kill(service)
    expect(await check()).toEqual(sound('0 files read: 0 missing, 0 damaged; 0 unreferenced'))

    service = await running()
    const content = randomBytes(SIZE)
    const { id } = await add(content)
    await add(content)
    await add(Buffer.from('a'), id)
    await kill(service)
    expect(await check()).toEqual(sound('2 files read: 0 missing, 0 damaged; 0 unreferenced'))
  })

  it('checks the archive of a service that is running', async () => {
    service = await running()
    expect(await check()).toEqual(sound('2 files read: 0 missing, 0 damaged; 0 unreferenced'))
    await kill(service)
  })

  it('reports every content that is missing, has one bit changed, is cut or has grown, and who refers to it', async () => {
    service = await running()
    const [gone, turned, cut, grown, small] = [
      await add(randomBytes(SIZE)),
      await add(randomBytes(SIZE)),
      await add(randomBytes(SIZE)),
      await add(randomBytes(SIZE)),
      await add(Buffer.from('b')),
    ] as const
    const again = await add(readContent(turned.hash), gone.id)
    await kill(service)

    const before = [gone, turned, cut, grown, small].map(({ hash }) => ({ path: fileOf(hash), hash }))
    const contents = before.map(({ path }) => readFileSync(path))
    rmSync(fileOf(gone.hash))
    flipBit(fileOf(turned.hash), 8 * (SIZE - 1))
    truncateSync(fileOf(cut.hash), SIZE - 1)
    appendFileSync(fileOf(grown.hash), '\0')
    truncateSync(fileOf(small.hash), 0)

    const names = [turned.name, again.name].sort().join(', ')
    const reported = [
      `missing: ${gone.hash} of company EN, in ${gone.name}`,
      `damaged: ${turned.hash} of company EN, in ${names}`,
      ...[cut, grown, small].map(({ hash, name }) => `damaged: ${hash} of company EN, in ${name}`),
    ].sort()
    const closing = '7 files read: 1 missing, 4 damaged; 0 unreferenced'
    expect(await check()).toEqual({ code: 1, reported, closing, stderr: '' })
    // It repairs nothing, and damaged contents do not count as unreferenced.
    expect(await check('sweep')).toEqual({ code: 1, reported, closing, stderr: '' })

    for (const [at, { path }] of before.entries()) writeFileSync(path, contents[at]!)
    expect(await check()).toEqual(sound('7 files read: 0 missing, 0 damaged; 0 unreferenced'))
  })

  it('removes unreferenced contents only with the option, older than a day, and of a company that is set up', async () => {
    const old = await keepForNobody('EN', 24.1)
    await keepForNobody('EN', 23.9)
    await keepForNobody('SV', 24.1)
    await keepForNobody('GONE', 1_000)
    // Records refer to these, however old they are.
    const stored = (await hashesInStore()).filter((hash) => hash !== old)
    const found = (files: number, swept: number) =>
      sound(`7 files read: 0 missing, 0 damaged; ${files} unreferenced (${reported(files)} KiB), ${swept} taken away`)
    expect(await check()).toEqual(found(4, 0))
    expect(await hashesInStore()).toHaveLength(11)
    expect(await check('sweep')).toEqual(found(4, 2))
    expect(await check('sweep')).toEqual(found(2, 0))
    expect((await hashesInStore()).every((hash) => stored.includes(hash))).toBe(true)
  })

  const reported = (files: number) => Math.ceil((files * SIZE) / 1024).toLocaleString('en-GB')

  async function hashesInStore(): Promise<string[]> {
    const { store } = await openFileStore({ files, data: folder.path })
    const found = await Array.fromAsync(store.list(), ({ hash }) => hash)
    await store.close()
    return found
  }

  const readContent = (hash: string) => readFileSync(fileOf(hash))

  it('reports a missing file store in one line, and no file as missing', async () => {
    const nowhere = s3
      ? `s3://nowhere/x?endpoint=${encodeURIComponent(s3.endpoint)}&region=us-east-1`
      : '/dev/null/files'
    const { code, stdout, stderr } = await run(['files', 'check', '--data', folder.path, '--files', nowhere])
    expect({ code, stdout, lines: linesOf(stderr).length }).toEqual({ code: 1, stdout: '', lines: 1 })
    expect(stderr).toMatch(/^tabularium: the (folder|bucket nowhere) of the file store cannot be used: /)
  })
})
