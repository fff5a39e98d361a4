// File contents in a bucket of an S3 service. An object is there whole or not at all, so an answer is an acknowledgement.
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
import { Problem } from '../../errors/problem.ts'
import {
  type ByteRange,
  type FileHash,
  type FileReference,
  type FileStore,
  type KeptFile,
  MissingFile,
  MOST_DERIVED,
  type StagedFile,
} from '../file-store.ts'
import { contentPath, derivedPath, parseContentPath } from './content-path.ts'
import { type Environment, readS3Address, type S3Address } from './s3-address.ts'
import { acknowledged, isBeyondEnd, isMissing, onS3, s3Fault, s3Reason } from './s3-fault.ts'
import { type Target, Upload } from './s3-upload.ts'
import { Turns } from './turns.ts'

const TRIES = 3
/** To the first byte of an answer, for each try. */
const ANSWER_TIMEOUT_MS = 10_000
const CONNECT_TIMEOUT_MS = 5_000
/** As many as there are handlers: a slow reader keeps its connection. */
const MOST_CONNECTIONS = 256

/** Opens the store of a bucket, and looks whether it is there. Credentials come from the usual `AWS_` variables. */
export async function openS3Store(url: string, environment: Environment): Promise<FileStore> {
  const address = readS3Address(url, environment)
  const client = connect(address, environment)
  try {
    await client.send(new HeadBucketCommand({ Bucket: address.bucket }))
  } catch (error) {
    client.destroy()
    const reason = s3Reason(error) ?? (error as Error).message
    throw new Error(`the bucket ${address.bucket} of the file store cannot be used: ${reason}`, { cause: error })
  }
  return new S3Store(client, address)
}

function connect({ region, endpoint, isPathStyle }: S3Address, environment: Environment): S3Client {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = environment
  const agent = { maxSockets: MOST_CONNECTIONS }
  return new S3Client({
    region,
    forcePathStyle: isPathStyle,
    maxAttempts: TRIES,
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: ANSWER_TIMEOUT_MS,
      throwOnRequestTimeout: true,
      httpAgent: agent,
      httpsAgent: agent,
    },
    // We tell SHA-256 ourselves; other services do not know the checksums that are added otherwise.
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
  readonly #turns = new Turns()
  readonly #upload: Upload

  constructor(client: S3Client, { bucket, prefix }: S3Address) {
    this.#client = client
    this.#bucket = bucket
    this.#prefix = prefix
    this.#upload = new Upload(client, ANSWER_TIMEOUT_MS)
  }

  async keep(companyId: string, staged: StagedFile): Promise<void> {
    const target = this.#targetOf(companyId, staged.hash)
    await this.#turns.take(target.Key, () => this.#upload.put(companyId, target, staged))
    // It is kept; a file that cannot be removed now is swept at the next start.
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
      return received(Body as Readable)
    } catch (error) {
      if (isMissing(error)) throw new MissingFile(companyId, hash, error)
      if (isBeyondEnd(error)) return Readable.from([], { objectMode: false })
      throw s3Fault(error)
    }
  }

  async *pieces(companyId: string, { hash }: FileReference): AsyncGenerator<Uint8Array, void, void> {
    // Not by `read`, which whoever watches the store counts.
    yield* await this.#read(companyId, hash)
  }

  async *list(): AsyncGenerator<KeptFile, void, void> {
    for await (const { Key = '', Size, LastModified } of this.#objects(this.#prefix)) {
      const name = parseContentPath(Key.slice(this.#prefix.length))
      if (name && Size !== undefined && LastModified) yield { ...name, size: Size, keptAt: LastModified }
    }
  }

  async remove(companyId: string, hash: FileHash): Promise<void> {
    const target = this.#targetOf(companyId, hash)
    await this.#turns.take(target.Key, async () => {
      await onS3(this.#client.send(new DeleteObjectCommand(target)))
      for await (const { Key } of this.#objects(`${target.Key}.`)) {
        await onS3(this.#client.send(new DeleteObjectCommand({ ...target, Key })))
      }
    })
  }

  async findDerived(companyId: string, hash: FileHash, name: string): Promise<Uint8Array | undefined> {
    const target = this.#targetOf(companyId, hash)
    const Key = derivedPath(target.Key, name)
    try {
      const { Body } = await this.#client.send(new GetObjectCommand({ ...target, Key }))
      return Buffer.concat(await received(Body as Readable).toArray())
    } catch (error) {
      if (isMissing(error)) return undefined
      throw s3Fault(error)
    }
  }

  async listDerived(companyId: string, hash: FileHash): Promise<string[]> {
    const before = `${this.#targetOf(companyId, hash).Key}.`
    return Array.fromAsync(this.#objects(before), ({ Key = '' }) => Key.slice(before.length))
  }

  async keepDerived(companyId: string, hash: FileHash, name: string, bytes: Uint8Array): Promise<void> {
    const target = this.#targetOf(companyId, hash)
    const Key = derivedPath(target.Key, name)
    try {
      await this.#turns.take(target.Key, async () => {
        const there = await Array.fromAsync(this.#objects(target.Key), (object) => object.Key)
        if (!there.includes(target.Key) || there.length > MOST_DERIVED) return
        await onS3(this.#client.send(new PutObjectCommand({ ...target, Key, Body: bytes })))
      })
    } catch (error) {
      // It can be made again.
      if (!(error instanceof Problem)) throw error
    }
  }

  async close(): Promise<void> {
    this.#client.destroy()
  }

  #targetOf(companyId: string, hash: FileHash): Target {
    return { Bucket: this.#bucket, Key: this.#prefix + contentPath({ companyId, hash }) }
  }

  async *#objects(Prefix: string): AsyncGenerator<Listed, void, void> {
    let token: string | undefined
    do {
      const question = new ListObjectsV2Command({ Bucket: this.#bucket, Prefix, ContinuationToken: token })
      const page: ListObjectsV2CommandOutput = await onS3(this.#client.send(question))
      acknowledged(page.Name)
      yield* page.Contents ?? []
      token = page.NextContinuationToken
    } while (token !== undefined)
  }
}

type Listed = NonNullable<ListObjectsV2CommandOutput['Contents']>[number]

/** The bytes as they come. A service that stops in the middle is left; a reader that is slow is not. */
function received(body: Readable): Readable {
  const stream = Readable.from(chunksOf(body), { objectMode: false })
  // Not in the generator: one that was never begun would not come to its end.
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
