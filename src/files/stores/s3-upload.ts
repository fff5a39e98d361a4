// How a content gets into a bucket: at once, or in pieces when it is large. Every piece tells its hash.
import { hash } from 'node:crypto'
import { open } from 'node:fs/promises'
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import type { Flow } from '../../base/fair-queue.ts'
import { FairSemaphore } from '../../base/fair-semaphore.ts'
import { unavailable } from '../../errors/catalogue.ts'
import type { StagedFile } from '../file-store.ts'
import { onDisk } from './disk-fault.ts'
import { acknowledged, onS3 } from './s3-fault.ts'

/** What is sent at once. It is held in memory, so that it can be sent again; services take parts from 5 MiB on. */
const PIECE_BYTES = 8 * 1024 * 1024
/** Of one content. More would take the line from the others. */
const PIECES_AT_ONCE = 2
/** All pieces on their way together. */
const MOST_PIECE_BYTES = 64 * 1024 * 1024
/** Far more than the contents that the service takes in at once bring. */
const MOST_WAITING = 1_024
/** A line that takes less than 256 KiB a second cannot carry the service. */
const SLOWEST_BYTES_PER_MS = 256

/** Where an object is, as the package wants to be told. */
export interface Target {
  readonly Bucket: string
  readonly Key: string
}

interface Multipart extends Target {
  readonly UploadId: string
}

export class Upload {
  readonly #client: S3Client
  readonly #answerTimeoutMs: number
  readonly #memory = new FairSemaphore({
    permits: MOST_PIECE_BYTES,
    waiting: MOST_WAITING,
    refusal: () => unavailable('Too many files are on their way to the file store.', 2),
  })

  /** `answerTimeoutMs`: how long an answer may take beside the time for sending. */
  constructor(client: S3Client, answerTimeoutMs: number) {
    this.#client = client
    this.#answerTimeoutMs = answerTimeoutMs
  }

  /** Resolves when the service has acknowledged the whole content of a company; companies take turns. */
  async put(companyId: string, target: Target, staged: StagedFile): Promise<void> {
    const flow = { group: companyId, member: '' }
    if (staged.size <= PIECE_BYTES) await this.#putWhole(flow, target, staged)
    else await this.#putInPieces(flow, target, staged)
  }

  async #putWhole(flow: Flow, target: Target, { path, size, hash }: StagedFile): Promise<void> {
    await this.#inMemory(flow, size, async () => {
      const Body = await onDisk(readPiece(path, 0, size))
      const ChecksumSHA256 = Buffer.from(hash, 'hex').toString('base64')
      const command = new PutObjectCommand({ ...target, Body, ContentLength: size, ChecksumSHA256 })
      acknowledged((await onS3(this.#client.send(command, this.#timeFor(size)))).ETag)
    })
  }

  async #putInPieces(flow: Flow, target: Target, staged: StagedFile): Promise<void> {
    const begin = new CreateMultipartUploadCommand({ ...target, ChecksumAlgorithm: 'SHA256' })
    const UploadId = acknowledged((await onS3(this.#client.send(begin))).UploadId)
    const multipart: Multipart = { ...target, UploadId }
    try {
      const Parts = await this.#putPieces(flow, multipart, staged)
      const end = new CompleteMultipartUploadCommand({ ...multipart, MultipartUpload: { Parts } })
      acknowledged((await onS3(this.#client.send(end))).ETag)
    } catch (error) {
      // Best effort: what is left is for a rule of the bucket.
      await this.#client.send(new AbortMultipartUploadCommand(multipart)).catch(() => {})
      throw error
    }
  }

  /** When one fails no further ones begin, and nothing is on its way any more when this rejects. */
  async #putPieces(flow: Flow, multipart: Multipart, staged: StagedFile): Promise<CompletedPart[]> {
    const parts: CompletedPart[] = []
    const count = Math.ceil(staged.size / PIECE_BYTES)
    let begun = 0
    const putSome = async (): Promise<void> => {
      while (begun < count) {
        const index = begun++
        try {
          parts[index] = await this.#putPiece(flow, multipart, staged, index)
        } catch (error) {
          begun = count
          throw error
        }
      }
    }
    const outcomes = await Promise.allSettled(Array.from({ length: PIECES_AT_ONCE }, putSome))
    const failed = outcomes.find((outcome) => outcome.status === 'rejected')
    if (failed) throw failed.reason
    return parts
  }

  #putPiece(flow: Flow, multipart: Multipart, { path, size }: StagedFile, index: number): Promise<CompletedPart> {
    const start = index * PIECE_BYTES
    const length = Math.min(PIECE_BYTES, size - start)
    return this.#inMemory(flow, length, async () => {
      const Body = await onDisk(readPiece(path, start, length))
      const part = { PartNumber: index + 1, ChecksumSHA256: hash('sha256', Body, 'base64') }
      const command = new UploadPartCommand({ ...multipart, ...part, Body, ContentLength: length })
      const ETag = acknowledged((await onS3(this.#client.send(command, this.#timeFor(length)))).ETag)
      return { ...part, ETag }
    })
  }

  async #inMemory<T>(flow: Flow, bytes: number, work: () => Promise<T>): Promise<T> {
    const release = await this.#memory.acquire(flow, bytes)
    try {
      return await work()
    } finally {
      release()
    }
  }

  #timeFor(bytes: number): { requestTimeout: number } {
    return { requestTimeout: this.#answerTimeoutMs + Math.ceil(bytes / SLOWEST_BYTES_PER_MS) }
  }
}

async function readPiece(path: string, start: number, length: number): Promise<Uint8Array> {
  const handle = await open(path)
  try {
    const piece = Buffer.allocUnsafe(length)
    for (let at = 0; at < length; ) {
      const { bytesRead } = await handle.read(piece, at, length - at, start + at)
      if (bytesRead === 0) throw new Error(`a staged file is shorter than the ${start + length} bytes received`)
      at += bytesRead
    }
    return piece
  } finally {
    await handle.close()
  }
}
