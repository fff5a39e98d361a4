// The contract of both file stores: a folder, and a bucket of an S3 service.
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FileStore, MAX_RENDITIONS, MissingFile, type StagedFile } from '../../../src/files/file-store.ts'
import { openFileStore } from '../../../src/files/open-file-store.ts'
import { openS3Store } from '../../../src/files/s3.ts'
import { type Staging, StagingFolder } from '../../../src/files/staging.ts'
import { longIt } from '../../support/reliability-test.ts'
import { S3_ENVIRONMENT, startS3 } from '../../support/s3.ts'

const UNLIMITED = Number.POSITIVE_INFINITY
const NOWHERE = 'ab'.repeat(32)

interface Opened {
  readonly store: FileStore
  readonly staging: Staging
  stop(): Promise<void>
}

const MAKERS: Readonly<Record<string, (data: string) => Promise<Opened>>> = {
  folder: async (data) => ({ ...(await openFileStore({ files: undefined, data })), stop: async () => {} }),
  s3: async (data) => {
    const service = await startS3()
    const store = await openS3Store(service.url(), S3_ENVIRONMENT)
    return { store, staging: await StagingFolder.open(join(data, 'files/staging')), stop: service.stop }
  },
}

describe.each(Object.keys(MAKERS))('the file store (%s)', (maker) => {
  const data = mkdtempSync(join(tmpdir(), 'tabularium-files-'))
  let opened: Opened
  let store: FileStore

  beforeAll(async () => {
    opened = await MAKERS[maker]!(data)
    store = opened.store
  })
  afterAll(async () => {
    await store.close()
    await opened.stop()
    rmSync(data, { recursive: true, force: true })
  })

  const staged = (content: Uint8Array): Promise<StagedFile> => opened.staging.take(chunksOf(content), UNLIMITED)
  const keep = async (companyId: string, content: Uint8Array): Promise<string> => {
    const file = await staged(content)
    await store.put(companyId, file)
    return file.hash
  }
  const listed = (companyId: string) =>
    Array.fromAsync(store.list()).then((all) => all.filter((one) => one.companyId === companyId))

  it('stores a content and returns it, and its staged file is gone', async () => {
    const content = randomBytes(20_000)
    const before = Date.now()
    const hash = await keep('C1', content)
    expect(hash).toBe(createHash('sha256').update(content).digest('hex'))
    expect(await bytesOf(store.read('C1', hash))).toEqual(content)
    expect(readdirSync(join(data, 'files/staging'))).toEqual([])
    const [one, ...others] = await listed('C1')
    expect(others).toEqual([])
    expect(one).toEqual({ companyId: 'C1', hash, size: 20_000, storedAt: expect.any(Date) })
    expect(Math.abs(one!.storedAt.getTime() - before)).toBeLessThan(60_000)
  })

  it('stores an empty content', async () => {
    const hash = await keep('EMPTY', new Uint8Array())
    expect(await bytesOf(store.read('EMPTY', hash))).toEqual(Buffer.alloc(0))
    expect(await listed('EMPTY')).toMatchObject([{ hash, size: 0 }])
  })

  longIt('stores 50 MB', async () => {
    const content = randomBytes(50_000_000)
    const hash = await keep('LARGE', content)
    const given = await bytesOf(store.read('LARGE', hash))
    expect(given.equals(content)).toBe(true)
    expect(await listed('LARGE')).toMatchObject([{ hash, size: content.length }])
    const part = await bytesOf(store.read('LARGE', hash, { first: 8_388_600, last: 20_000_000 }))
    expect(part.equals(content.subarray(8_388_600, 20_000_001))).toBe(true)
  })

  it.each([
    // Not 0 to 0: s3rver takes it for everything.
    { first: 1, last: 1 },
    { first: 0, last: 999 },
    { first: 10, last: 19 },
    { first: 999, last: 999 },
    { first: 990, last: 5_000 },
    { first: 1_000, last: 1_000 },
  ])('gives the bytes from $first to $last, both ends in it', async ({ first, last }) => {
    const content = Buffer.from(Array.from({ length: 1_000 }, (_, index) => index % 251))
    const hash = await keep('RANGE', content)
    expect(await bytesOf(store.read('RANGE', hash, { first, last }))).toEqual(content.subarray(first, last + 1))
  })

  it('stores equal contents of a company once, with the time of the last one', async () => {
    const content = randomBytes(100)
    const hash = await keep('ONCE', content)
    const [first] = await listed('ONCE')
    // Times in S3 are seconds.
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    expect(await keep('ONCE', content)).toBe(hash)
    const [second, ...others] = await listed('ONCE')
    expect(others).toEqual([])
    expect(second!.storedAt.getTime()).toBeGreaterThan(first!.storedAt.getTime())
    expect(await bytesOf(store.read('ONCE', hash))).toEqual(content)
  })

  it('stores the same content many times concurrently', async () => {
    const content = randomBytes(300_000)
    const hashes = await Promise.all(Array.from({ length: 20 }, () => keep('PARALLEL', content)))
    expect(new Set(hashes).size).toBe(1)
    expect(await bytesOf(store.read('PARALLEL', hashes[0]!))).toEqual(content)
    expect(await listed('PARALLEL')).toHaveLength(1)
    expect(readdirSync(join(data, 'files/staging'))).toEqual([])
  })

  it.each([
    '..',
    '.',
    'EN',
    'en',
    'En',
    'A/B',
    'A\\B',
    '/etc',
    'CON',
    'nul',
    'staging',
    'a~',
    'a_b',
    'a.b',
    '%41',
    ' ',
    'a b ',
    '-',
    'A\u0000B',
    'x'.repeat(255),
    'X'.repeat(255),
    'X'.repeat(99),
    '\u00c9cole \u65e5\u672c \u{1f4c4}',
    'e\u0301',
    '\u00e9',
  ])('keeps the contents of the company %j apart', async (companyId) => {
    const content = Buffer.from(`the only content of ${companyId}`)
    const hash = await keep(companyId, content)
    expect(await bytesOf(store.read(companyId, hash))).toEqual(content)
    expect(await listed(companyId)).toMatchObject([{ companyId, hash, size: content.length }])
    await expect(store.read(`${companyId}x`, hash)).rejects.toThrow(MissingFile)
    await store.putRendition(companyId, hash, '10x10.png', Buffer.from(companyId))
    expect(Buffer.from((await store.findRendition(companyId, hash, '10x10.png'))!).toString()).toBe(companyId)
  })

  it('has stored all those companies separately', async () => {
    const byHash = new Map<string, string>()
    for await (const { companyId, hash } of store.list()) byHash.set(`${companyId} ${hash}`, companyId)
    for (const companyId of ['EN', 'en', 'En', '..', 'a~', 'staging']) {
      const hash = createHash('sha256').update(`the only content of ${companyId}`).digest('hex')
      expect(byHash.get(`${companyId} ${hash}`)).toBe(companyId)
    }
  })

  it.each(['', '\ud800'])('refuses the id %j, which no company has', async (companyId) => {
    await expect(store.read(companyId, NOWHERE)).rejects.toThrow('not the id of a company')
  })

  it.each(['', 'a', '../../etc/passwd', NOWHERE.toUpperCase(), `${NOWHERE}/..`])(
    'refuses %j, which is no hash',
    async (hash) => {
      await expect(store.read('C1', hash)).rejects.toThrow('not the hash of a content')
    },
  )

  it('reports a missing content', async () => {
    const hash = await keep('OTHER', randomBytes(10))
    await expect(store.read('C1', NOWHERE)).rejects.toThrow(MissingFile)
    await expect(store.read('C1', NOWHERE, { first: 0, last: 1 })).rejects.toThrow(MissingFile)
    await expect(store.read('NOBODY', NOWHERE)).rejects.toThrow(MissingFile)
    await expect(store.read('C1', hash)).rejects.toThrow(MissingFile)
  })

  it('removes a content with its derived files, and stores it again', async () => {
    const content = randomBytes(1_000)
    const hash = await keep('GONE', content)
    const other = await keep('GONE', randomBytes(1_000))
    await store.putRendition('GONE', hash, '20x20.png', randomBytes(50))
    await store.remove('GONE', hash)
    await expect(store.read('GONE', hash)).rejects.toThrow(MissingFile)
    expect(await store.findRendition('GONE', hash, '20x20.png')).toBeUndefined()
    expect(await listed('GONE')).toMatchObject([{ hash: other }])
    await store.remove('GONE', hash)
    await store.remove('NOBODY', NOWHERE)

    await keep('GONE', content)
    expect(await bytesOf(store.read('GONE', hash))).toEqual(content)
    expect(await store.findRendition('GONE', hash, '20x20.png')).toBeUndefined()
  })

  it('stores derived files, does not list them, and retains the newest of one name', async () => {
    const hash = await keep('DERIVED', randomBytes(1_000))
    expect(await store.findRendition('DERIVED', hash, '30x40.png')).toBeUndefined()
    for (const text of ['old', 'new']) await store.putRendition('DERIVED', hash, '30x40.png', Buffer.from(text))
    expect(Buffer.from((await store.findRendition('DERIVED', hash, '30x40.png'))!).toString()).toBe('new')
    await store.putRendition('DERIVED', hash, '50x60.png', Buffer.from('other'))
    expect((await store.listRenditions('DERIVED', hash)).sort()).toEqual(['30x40.png', '50x60.png'])
    expect(await store.listRenditions('C1', NOWHERE)).toEqual([])
    expect(await listed('DERIVED')).toHaveLength(1)
    expect(readdirSync(join(data, 'files/staging'))).toEqual([])
  })

  it('stores no more derived files than the limit, also concurrently', async () => {
    const hash = await keep('MOST', randomBytes(1_000))
    const names = Array.from({ length: MAX_RENDITIONS * 2 }, (_, index) => `${index}x1.png`)
    await Promise.all(names.map((name) => store.putRendition('MOST', hash, name, Buffer.from(name))))
    const found = await Promise.all(names.map((name) => store.findRendition('MOST', hash, name)))
    expect(found.filter((one) => one !== undefined)).toHaveLength(MAX_RENDITIONS)
  })

  it('stores nothing derived from a content that is gone', async () => {
    await store.putRendition('C1', NOWHERE, '1x1.png', randomBytes(10))
    expect(await store.findRendition('C1', NOWHERE, '1x1.png')).toBeUndefined()
  })

  it.each(['', '..', '../x', 'A.png', 'a/b', `${'x'.repeat(101)}`])('refuses the derived name %j', async (name) => {
    await expect(store.putRendition('C1', NOWHERE, name, new Uint8Array())).rejects.toThrow('not a name')
    await expect(store.findRendition('C1', NOWHERE, name)).rejects.toThrow('not a name')
  })

  it('releases a content whose reader stops before, in and after the first bytes', async () => {
    const hash = await keep('LEFT', randomBytes(3_000_000))
    const descriptors = () => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0)
    const before = descriptors()
    for (let count = 0; count < 20; count++) {
      const unread = await store.read('LEFT', hash)
      unread.destroy()
      for await (const chunk of await store.read('LEFT', hash)) if (chunk.length > 0) break
    }
    await expect.poll(descriptors).toBeLessThan(before + 10)
    expect(await bytesOf(store.read('LEFT', hash))).toHaveLength(3_000_000)
  })
})

async function* chunksOf(content: Uint8Array): AsyncGenerator<Uint8Array, void, void> {
  for (let at = 0; at < content.length; at += 65_536) yield content.subarray(at, at + 65_536)
}

async function bytesOf(stream: Promise<Readable>): Promise<Buffer> {
  return Buffer.concat(await (await stream).toArray())
}
