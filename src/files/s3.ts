// A file store in a bucket of an S3 service. Objects appear atomically, so a successful response means that the content
// is stored.
import { randomBytes, randomUUID } from 'node:crypto'
import { unlink } from 'node:fs/promises'
import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { Problem } from '../errors/problem.ts'
import { contentPath, parseContentPath, renditionPath } from './content-path.ts'
import {
  type ByteRange,
  type FileHash,
  type FileReference,
  type FileStore,
  MAX_RENDITIONS,
  MissingFile,
  type StagedFile,
  type StoredFile,
} from './file-store.ts'
import { KeyedMutex } from './keyed-mutex.ts'
import { type Environment, readS3Address, type S3Address } from './s3-address.ts'
import { isBeyondEnd, isMissing, onS3, requireMember, s3Fault, s3Reason } from './s3-fault.ts'
import { sumOf, type Upload, type UploadTarget, uploadTo } from './s3-upload.ts'

const MAX_ATTEMPTS = 3
/** Timeout for the first byte of a response, for each attempt. */
const ANSWER_TIMEOUT_MS = 10_000
const CONNECT_TIMEOUT_MS = 5_000
const TRIAL_BYTES = 64
/** One per request handler: a slow reader occupies its connection. */
const MAX_CONNECTIONS = 256

/**
 * Opens the store in an existing bucket. Credentials come from the usual `AWS_` variables. `isTried`: whether an object
 * is written and read first.
 */
export async function openS3Store(url: string, environment: Environment, isTried = false): Promise<FileStore> {
  const address = readS3Address(url, environment)
  const client = connect(address, environment)
  try {
    await client.send(new HeadBucketCommand({ Bucket: address.bucket }))
    if (isTried) await tryObject(client, address)
  } catch (error) {
    client.destroy()
    const reason = s3Reason(error) ?? (error as Error).message
    throw new Error(`the bucket ${address.bucket} of the file store cannot be used: ${reason}`, { cause: error })
  }
  return new S3Store(client, address)
}

/** A bucket may be there, and take no object as it is sent, or none by these rights. */
async function tryObject(client: S3Client, { bucket, prefix, checksum }: S3Address): Promise<void> {
  const target = { Bucket: bucket, Key: `${prefix}trial-${randomUUID()}` }
  const Body = randomBytes(TRIAL_BYTES)
  try {
    await client.send(new PutObjectCommand({ ...target, Body, ...sumOf(checksum, Body) }))
  } catch (cause) {
    const remedy = checksum === 'sha256' ? '; with checksum=md5 in its address no SHA-256 is sent' : ''
    throw new Error(`it takes no object: ${s3Reason(cause) ?? (cause as Error).message}${remedy}`, { cause })
  }
  const { Body: found } = await client.send(new GetObjectCommand(target))
  const isSame = Body.equals(Buffer.concat(await (found as Readable).toArray()))
  await client.send(new DeleteObjectCommand(target))
  if (!isSame) throw new Error('it returns other bytes than it was given')
}

function connect({ region, endpoint, isPathStyle }: S3Address, environment: Environment): S3Client {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = environment
  const agent = { maxSockets: MAX_CONNECTIONS }
  return new S3Client({
    region,
    forcePathStyle: isPathStyle,
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: ANSWER_TIMEOUT_MS,
      throwOnRequestTimeout: true,
      httpAgent: agent,
      httpsAgent: agent,
    },
    // Uploads have explicit SHA-256 checksums. Other S3 services do not support the default checksums of the SDK.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(AWS_ACCESS_KEY_ID && AWS_SECRET_ACCESS_KEY
      ? {
          credentials: {
            accessKeyId: AWS_ACCESS_KEY_ID,
            secretAccessKey: AWS_SECRET_ACCESS_KEY,
            ...(AWS_SESSION_TOKEN ? { sessionToken: AWS_SESSION_TOKEN } : {}),
          },
        }
      : {}),
  })
}

class S3Store implements FileStore {
  readonly #client: S3Client
  readonly #bucket: string
  readonly #prefix: string
  readonly #locks = new KeyedMutex()
  readonly #upload: Upload

  constructor(client: S3Client, { bucket, prefix, checksum }: S3Address) {
    this.#client = client
    this.#bucket = bucket
    this.#prefix = prefix
    this.#upload = uploadTo(client, ANSWER_TIMEOUT_MS, checksum)
  }

  async put(companyId: string, staged: StagedFile): Promise<void> {
    const target = this.#targetOf(companyId, staged.hash)
    await this.#locks.run(target.Key, () => this.#upload(companyId, target, staged))
    // The content is stored. A staging file that cannot be removed now is deleted at the next start.
    await unlink(staged.path).catch(() => {})
  }

  read(companyId: string, hash: FileHash, range?: ByteRange): Promise<Readable> {
    return this.#read(companyId, hash, range)
  }

  async #read(companyId: string, hash: FileHash, range?: ByteRange): Promise<Readable> {
    const target = this.#targetOf(companyId, hash)
    const part = range ? { Range: `bytes=${range.first}-${range.last}` } : {}
    try {
      const { Body } = await this.#client.send(new GetObjectCommand({ ...target, ...part }))
      return withStallTimeout(Body as Readable)
    } catch (error) {
      if (isMissing(error)) throw new MissingFile(companyId, hash, error)
      if (isBeyondEnd(error)) return Readable.from([], { objectMode: false })
      throw s3Fault(error)
    }
  }

  async *readChunks(companyId: string, { hash }: FileReference): AsyncGenerator<Uint8Array, void, void> {
    // Not with `read`, which watch-files.ts wraps: the bytes would be counted twice.
    yield* await this.#read(companyId, hash)
  }

  async *list(): AsyncGenerator<StoredFile, void, void> {
    for await (const { Key = '', Size, LastModified } of this.#objects(this.#prefix)) {
      const name = parseContentPath(Key.slice(this.#prefix.length))
      if (name && Size !== undefined && LastModified) yield { ...name, size: Size, storedAt: LastModified }
    }
  }

  async remove(companyId: string, hash: FileHash): Promise<void> {
    const target = this.#targetOf(companyId, hash)
    await this.#locks.run(target.Key, async () => {
      await onS3(this.#client.send(new DeleteObjectCommand(target)))
      for await (const { Key } of this.#objects(`${target.Key}.`)) {
        await onS3(this.#client.send(new DeleteObjectCommand({ ...target, Key })))
      }
    })
  }

  async findRendition(companyId: string, hash: FileHash, name: string): Promise<Uint8Array | undefined> {
    const target = this.#targetOf(companyId, hash)
    const Key = renditionPath(target.Key, name)
    try {
      const { Body } = await this.#client.send(new GetObjectCommand({ ...target, Key }))
      return Buffer.concat(await withStallTimeout(Body as Readable).toArray())
    } catch (error) {
      if (isMissing(error)) return undefined
      throw s3Fault(error)
    }
  }

  async listRenditions(companyId: string, hash: FileHash): Promise<string[]> {
    const keyPrefix = `${this.#targetOf(companyId, hash).Key}.`
    return Array.fromAsync(this.#objects(keyPrefix), ({ Key = '' }) => Key.slice(keyPrefix.length))
  }

  async putRendition(companyId: string, hash: FileHash, name: string, bytes: Uint8Array): Promise<void> {
    const target = this.#targetOf(companyId, hash)
    const Key = renditionPath(target.Key, name)
    try {
      await this.#locks.run(target.Key, async () => {
        const existing = await Array.fromAsync(this.#objects(target.Key), (object) => object.Key)
        if (!existing.includes(target.Key) || existing.length > MAX_RENDITIONS) return
        await onS3(this.#client.send(new PutObjectCommand({ ...target, Key, Body: bytes })))
      })
    } catch (error) {
      // A rendition can be created again.
      if (!(error instanceof Problem)) throw error
    }
  }

  async close(): Promise<void> {
    this.#client.destroy()
  }

  #targetOf(companyId: string, hash: FileHash): UploadTarget {
    return { Bucket: this.#bucket, Key: this.#prefix + contentPath({ companyId, hash }) }
  }

  async *#objects(Prefix: string): AsyncGenerator<Listed, void, void> {
    let token: string | undefined
    do {
      const command = new ListObjectsV2Command({ Bucket: this.#bucket, Prefix, ContinuationToken: token })
      const page: ListObjectsV2CommandOutput = await onS3(this.#client.send(command))
      requireMember(page.Name)
      yield* page.Contents ?? []
      token = page.NextContinuationToken
    } while (token !== undefined)
  }
}

type Listed = NonNullable<ListObjectsV2CommandOutput['Contents']>[number]

/** The bytes of a response, with a timeout for a service that stalls but not for a slow reader. */
function withStallTimeout(body: Readable): Readable {
  const stream = Readable.from(chunksOf(body), { objectMode: false })
  // Not in a `finally` of the generator, which would not run for a generator that was never started.
  return stream.once('close', () => body.destroy())
}

async function* chunksOf(body: Readable): AsyncGenerator<Uint8Array, void, void> {
  const chunks = body[Symbol.asyncIterator]()
  for (;;) {
    const timer = setTimeout(() => body.destroy(stalled()), ANSWER_TIMEOUT_MS)
    const next = await onS3(chunks.next()).finally(() => clearTimeout(timer))
    if (next.done) return
    yield next.value
  }
}

function stalled(): Error {
  return Object.assign(new Error('no more bytes came'), { name: 'TimeoutError' })
}
