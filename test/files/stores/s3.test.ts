// The S3 store with failing connections and services: retries or 503, never an acknowledgement without a stored
// content.
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Problem } from '../../../src/errors/problem.ts'
import type { FileStore, StagedFile } from '../../../src/files/file-store.ts'
import { openS3Store } from '../../../src/files/s3.ts'
import { type Staging, StagingFolder } from '../../../src/files/staging.ts'
import {
  type Fault,
  type FaultyProxy,
  type RecordedRequest,
  S3_ENVIRONMENT,
  type S3Service,
  s3Url,
  startFaultyProxy,
  startS3,
} from '../../support/s3.ts'

const MIB = 1024 * 1024
const TRIES = 3
const SERVER_ERROR: Fault = { kind: 'status', status: 500, code: 'InternalError' }
const SLOW_DOWN: Fault = { kind: 'status', status: 503, code: 'SlowDown' }
/** Well-formed, like some login pages. */
const LOG_IN: Fault = { kind: 'answer', text: '<html><p>Please log in</p></html>' }
const ERROR_IN_200: Fault = { kind: 'status', status: 200, code: 'InternalError' }

const isPut = ({ method }: RecordedRequest) => method === 'PUT'
const isGet = ({ method, path }: RecordedRequest) => method === 'GET' && !path.includes('list-type')
const isPart = (nth: number) => (one: RecordedRequest) => isPut(one) && one.path.includes(`partNumber=${nth}&`)
const isCreate = ({ method, path }: RecordedRequest) => method === 'POST' && path.includes('uploads')
const isComplete = ({ method, path }: RecordedRequest) => method === 'POST' && path.includes('uploadId=')
const isAbort = ({ method, path }: RecordedRequest) => method === 'DELETE' && path.includes('uploadId=')

describe('the file store in a bucket', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tabularium-s3-staging-'))
  let service: S3Service
  let line: FaultyProxy
  let staging: Staging
  /** Stores with and without the faulty proxy. */
  let store: FileStore
  let straight: FileStore

  beforeAll(async () => {
    service = await startS3()
    line = await startFaultyProxy(service.endpoint)
    staging = await StagingFolder.open(folder)
    store = await openS3Store(service.url(line.endpoint), S3_ENVIRONMENT)
    straight = await openS3Store(service.url(), S3_ENVIRONMENT)
  })
  afterEach(() => {
    line.chooseFault = () => undefined
    line.seen.length = 0
  })
  afterAll(async () => {
    await store.close()
    await straight.close()
    await line.stop()
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const staged = (content: Uint8Array): Promise<StagedFile> => staging.take(Readable.from([content]), content.length)
  const isThere = async (hash: string): Promise<boolean> => {
    const all = await Array.fromAsync(straight.list())
    return all.some((one) => one.hash === hash)
  }
  const expectWhole = async (content: Uint8Array): Promise<void> => {
    const hash = createHash('sha256').update(content).digest('hex')
    const given = Buffer.concat(await (await straight.read('EN', hash)).toArray())
    expect(given.equals(content)).toBe(true)
  }
  /** Makes the first requests of a kind fail. */
  const failFirst = (times: number, fault: Fault, isMeant: (one: RecordedRequest) => boolean): void => {
    let left = times
    line.chooseFault = (one) => (isMeant(one) && left-- > 0 ? fault : undefined)
  }

  it.each<{ name: string; times: number; fault: Fault }>([
    { name: 'an error of the service', times: 1, fault: SERVER_ERROR },
    { name: 'two requests to slow down', times: 2, fault: SLOW_DOWN },
    { name: 'a connection that is cut in the content', times: 2, fault: { kind: 'cut-request', afterBytes: 10_000 } },
    { name: 'an answer that is lost', times: 2, fault: { kind: 'lost-answer' } },
    { name: 'a service that takes it and is silent', times: 1, fault: { kind: 'silent' } },
  ])('keeps a content in spite of $name', async ({ times, fault }) => {
    const content = randomBytes(20_000)
    const file = await staged(content)
    failFirst(times, fault, isPut)
    await store.put('EN', file)
    expect(line.seen.filter(isPut)).toHaveLength(times + 1)
    await expectWhole(content)
    expect(existsSync(file.path)).toBe(false)
  })

  it.each<{ name: string; fault: Fault; tries: number }>([
    { name: 'fails', fault: SERVER_ERROR, tries: TRIES },
    { name: 'is overloaded', fault: SLOW_DOWN, tries: TRIES },
    { name: 'refuses', fault: { kind: 'status', status: 403, code: 'AccessDenied' }, tries: 1 },
    { name: 'finds the content damaged', fault: { kind: 'status', status: 400, code: 'BadDigest' }, tries: 1 },
    { name: 'lost its bucket', fault: { kind: 'status', status: 404, code: 'NoSuchBucket' }, tries: 1 },
    { name: 'cuts the connection', fault: { kind: 'cut-request', afterBytes: 1 }, tries: TRIES },
    { name: 'is not S3 any more', fault: LOG_IN, tries: 1 },
  ])('answers 503 when the service $name, and keeps the content later', async ({ fault, tries }) => {
    const content = randomBytes(20_000)
    const file = await staged(content)
    failFirst(Number.POSITIVE_INFINITY, fault, isPut)
    await expectUnavailable(store.put('EN', file))
    expect(line.seen.filter(isPut)).toHaveLength(tries)
    expect(await isThere(file.hash)).toBe(false)
    line.chooseFault = () => undefined
    await store.put('EN', file)
    await expectWhole(content)
  })

  it('takes uploads without SHA-256 where its address says so', async () => {
    const old = await openS3Store(`${service.url(line.endpoint)}&checksum=md5`, S3_ENVIRONMENT, true)
    for (const size of [1_000, 17 * MIB]) {
      const file = await staged(randomBytes(size))
      await old.put('C1', file)
      expect(await isThere(file.hash)).toBe(true)
    }
    expect(line.seen.filter(isPut).length).toBeGreaterThan(3)
    expect(line.seen.filter(({ declaredSha256 }) => declaredSha256 !== undefined)).toEqual([])
    await old.close()
  })

  it('is tried with an object, which it does not keep', async () => {
    const before = await Array.fromAsync(straight.list())
    const tried = await openS3Store(service.url(line.endpoint), S3_ENVIRONMENT, true)
    expect(line.seen.filter(({ path }) => path.includes('trial-')).map(({ method }) => method)).toEqual([
      'PUT',
      'GET',
      'DELETE',
    ])
    expect(await Array.fromAsync(tried.list())).toEqual(before)
    await tried.close()
    line.chooseFault = (one) => (isPut(one) ? { kind: 'status', status: 501, code: 'NotImplemented' } : undefined)
    await expect(openS3Store(service.url(line.endpoint), S3_ENVIRONMENT, true)).rejects.toThrow(
      'the bucket papers of the file store cannot be used: it takes no object: it answered 501 NotImplemented; with checksum=md5 in its address no SHA-256 is sent',
    )
  })

  it('stores a large content in parts of 8 MiB, in spite of faults at each', async () => {
    const content = randomBytes(3 * 8 * MIB + 5)
    const failed = new Set<string>()
    line.chooseFault = ({ method, path }) => {
      if (failed.has(method + path)) return undefined
      failed.add(method + path)
      return SERVER_ERROR
    }
    await store.put('EN', await staged(content))
    expect(new Set(line.seen.filter(isPut).map(({ path }) => /partNumber=(\d+)/.exec(path)?.[1]))).toEqual(
      new Set(['1', '2', '3', '4']),
    )
    await expectWhole(content)
    expect(line.seen.filter(isPut)).toHaveLength(8)
    expect(line.seen.filter(isAbort)).toEqual([])
  })

  it.each<{ name: string; isMeant: (one: RecordedRequest) => boolean; fault: Fault }>([
    { name: 'a piece', isMeant: isPart(2), fault: SERVER_ERROR },
    { name: 'the line at a piece', isMeant: isPart(1), fault: { kind: 'cut-request', afterBytes: 4 * MIB } },
    { name: 'the sense of the answer to a piece', isMeant: isPart(3), fault: LOG_IN },
    { name: 'the end', isMeant: isComplete, fault: SERVER_ERROR },
    { name: 'the end, in an answer that looks well', isMeant: isComplete, fault: ERROR_IN_200 },
    { name: 'the sense of the answer to the end', isMeant: isComplete, fault: LOG_IN },
  ])('gives a large content up, with all its pieces, when $name fails', async ({ isMeant, fault }) => {
    const file = await staged(randomBytes(4 * 8 * MIB))
    failFirst(Number.POSITIVE_INFINITY, fault, isMeant)
    await expectUnavailable(store.put('EN', file))
    expect(await isThere(file.hash)).toBe(false)
    expect(isAbort(line.seen.at(-1)!)).toBe(true)
  })

  it('answers 503 when a large content cannot be begun', async () => {
    const file = await staged(randomBytes(9 * MIB))
    for (const fault of [SERVER_ERROR, LOG_IN]) {
      failFirst(Number.POSITIVE_INFINITY, fault, isCreate)
      await expectUnavailable(store.put('EN', file))
      expect(line.seen.filter(isPut)).toEqual([])
    }
  })

  it('answers 503 when the service goes on failing under a read, a list and a removal', async () => {
    const file = await staged(randomBytes(10))
    await store.put('EN', file)
    line.chooseFault = () => SLOW_DOWN
    await expectUnavailable(store.read('EN', file.hash))
    await expectUnavailable(Array.fromAsync(store.list()))
    await expectUnavailable(store.remove('EN', file.hash))
    await expectUnavailable(store.findRendition('EN', file.hash, '1x1.png'))
    await store.putRendition('EN', file.hash, '1x1.png', randomBytes(10))
    line.chooseFault = () => LOG_IN
    await expectUnavailable(Array.fromAsync(store.list()))
  })

  it.each([100, 8 * MIB, 8 * MIB + 1])('declares the hash of everything that it sends (%i bytes)', async (size) => {
    await store.put('EN', await staged(randomBytes(size)))
    const sent = line.seen.filter(isPut)
    expect(sent).toHaveLength(size > 8 * MIB ? 2 : 1)
    for (const { declaredSha256, bodySha256 } of sent) expect([declaredSha256]).toEqual([bodySha256 ?? 'none'])
  })

  it.each(['cut-answer', 'stall-answer'] as const)(
    'never takes half a content for a complete one (%s)',
    async (kind) => {
      const content = randomBytes(2 * MIB)
      const file = await staged(content)
      await store.put('EN', file)
      failFirst(1, { kind, afterBytes: 1_000_000 }, isGet)
      const given = await store.read('EN', file.hash)
      await expectUnavailable(given.toArray())
      await expectWhole(content)
    },
  )

  it('allows a reader to be slower than the service may be', async () => {
    const content = randomBytes(8 * MIB)
    const file = await staged(content)
    await store.put('EN', file)
    const given: Uint8Array[] = []
    for await (const chunk of await store.read('EN', file.hash)) {
      if (given.length === 0) await new Promise((resolve) => setTimeout(resolve, 12_000))
      given.push(chunk)
    }
    expect(Buffer.concat(given).equals(content)).toBe(true)
  })

  it('lists more than one page holds', async () => {
    // s3rver cannot do it: its tokens need a cipher that is gone.
    const page = (hash: string, rest: string): Fault => ({
      kind: 'answer',
      text: `<ListBucketResult><Name>papers</Name>${rest}<Contents><Key>archive/company-en/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}</Key>
        <LastModified>2026-01-02T03:04:05.000Z</LastModified><Size>7</Size></Contents></ListBucketResult>`,
    })
    const more = '<IsTruncated>true</IsTruncated><NextContinuationToken>a+b/c=</NextContinuationToken>'
    line.chooseFault = ({ path }) => {
      const token = new URL(path, line.endpoint).searchParams.get('continuation-token')
      if (token === null) return page('a'.repeat(64), more)
      return token === 'a+b/c=' ? page('b'.repeat(64), '<IsTruncated>false</IsTruncated>') : SERVER_ERROR
    }
    const storedAt = new Date('2026-01-02T03:04:05.000Z')
    expect(await Array.fromAsync(store.list())).toEqual([
      { companyId: 'en', hash: 'a'.repeat(64), size: 7, storedAt },
      { companyId: 'en', hash: 'b'.repeat(64), size: 7, storedAt },
    ])
  })

  it('keeps stores of one bucket apart by their prefix', async () => {
    const other = await openS3Store(service.url(service.endpoint, 'other/archive'), S3_ENVIRONMENT)
    const file = await staged(randomBytes(10))
    await other.put('EN', file)
    expect(await isThere(file.hash)).toBe(false)
    expect(await Array.fromAsync(other.list())).toMatchObject([{ companyId: 'EN', hash: file.hash, size: 10 }])
    await other.close()
  })
})

describe('opening a bucket', () => {
  let service: S3Service
  beforeAll(async () => {
    service = await startS3()
    // Otherwise the SDK asks the EC2 metadata service for credentials.
    process.env.AWS_EC2_METADATA_DISABLED = 'true'
  })
  afterAll(async () => {
    await service.stop()
    delete process.env.AWS_EC2_METADATA_DISABLED
  })

  const failureOf = (url: string, environment = S3_ENVIRONMENT): Promise<Error> =>
    openS3Store(url, environment).then(
      () => Promise.reject(new Error('it was opened')),
      (error: Error) => error,
    )

  it('reports that it does not exist', async () => {
    const { message } = await failureOf(s3Url('nothing', service.endpoint))
    expect(message).toBe('the bucket nothing of the file store cannot be used: the bucket does not exist')
  })

  it('reports that access is denied, without the secret', async () => {
    const secret = 'a-secret-of-somebody'
    const failure = await failureOf(service.url(), { AWS_ACCESS_KEY_ID: 'SOMEBODY', AWS_SECRET_ACCESS_KEY: secret })
    expect(failure.message).toBe('the bucket papers of the file store cannot be used: access is denied')
    const told = [failure.message, failure.stack, String(failure.cause), (failure.cause as Error).stack]
    expect(told.join()).not.toContain(secret)
  })

  it('reports that no server answers', async () => {
    const line = await startFaultyProxy(service.endpoint)
    await line.stop()
    const { message } = await failureOf(service.url(line.endpoint))
    expect(message).toBe('the bucket papers of the file store cannot be used: it cannot be reached (ECONNREFUSED)')
  })
})

async function expectUnavailable(work: Promise<unknown>): Promise<void> {
  const failure = await work.then(
    () => 'it was done',
    (error: unknown) => error,
  )
  expect(failure).toBeInstanceOf(Problem)
  expect(failure).toMatchObject({
    status: 503,
    headers: { 'retry-after': '5' },
    message: expect.stringMatching(/^The file store cannot be used now: .*\. Try again later\.$/),
  })
}
