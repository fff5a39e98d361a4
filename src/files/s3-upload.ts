// Uploads a content to a bucket: in one request, or as a multipart upload when it is large. Every request has a
// checksum.
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
import { AdmissionQueue } from '../base/concurrency/admission-queue.ts'
import type { Flow } from '../base/concurrency/fair-queue.ts'
import { unavailable } from '../errors/catalogue.ts'
import { onDisk } from './disk.ts'
import type { StagedFile } from './file-store.ts'
import type { S3Checksum } from './s3-address.ts'
import { onS3, requireMember } from './s3-fault.ts'

/** Size of a part. Parts are held in memory for retries; S3 requires at least 5 MiB. */
const PART_BYTES = 8 * 1024 * 1024
/** Concurrent parts of one content. More would take bandwidth from other uploads. */
const CONCURRENT_PARTS = 2
/** Memory for all parts in transfer. */
const MAX_MEMORY_BYTES = 64 * 1024 * 1024
/** Maximum number of waiting parts; far more than the concurrent uploads can need. */
const MAX_WAITING = 1_024
/** Minimum transfer rate, about 256 KB/s, for which request timeouts are calculated. */
const MIN_BYTES_PER_MS = 256

/** The address of an object, with the parameter names of the SDK. */
export interface UploadTarget {
  readonly Bucket: string
  readonly Key: string
}

interface Multipart extends UploadTarget {
  readonly UploadId: string
}

export type Upload = ReturnType<typeof uploadTo>

/**
 * Returns what uploads a content, and resolves when the service has acknowledged all of it. Companies are scheduled
 * fairly. `answerTimeoutMs` is the time for a response, in addition to the time for sending.
 */
export function uploadTo(client: S3Client, answerTimeoutMs: number, checksum: S3Checksum) {
  const memory = new AdmissionQueue({
    inFlight: MAX_MEMORY_BYTES,
    waiting: MAX_WAITING,
    refusal: () => unavailable('Too many files are on their way to the file store.', 2),
  })
  const timeFor = (bytes: number) => ({ requestTimeout: answerTimeoutMs + Math.ceil(bytes / MIN_BYTES_PER_MS) })

  const putSingle = (flow: Flow, target: UploadTarget, { path, size, hash }: StagedFile): Promise<void> =>
    memory.run(flow, size, async () => {
      const Body = await onDisk(readPart(path, 0, size))
      const sum = sumOf(checksum, Body, Buffer.from(hash, 'hex').toString('base64'))
      const command = new PutObjectCommand({ ...target, Body, ContentLength: size, ...sum })
      requireMember((await onS3(client.send(command, timeFor(size)))).ETag)
    })

  const putMultipart = async (flow: Flow, target: UploadTarget, staged: StagedFile): Promise<void> => {
    const algorithm = checksum === 'sha256' ? { ChecksumAlgorithm: 'SHA256' as const } : {}
    const create = new CreateMultipartUploadCommand({ ...target, ...algorithm })
    const UploadId = requireMember((await onS3(client.send(create))).UploadId)
    const multipart: Multipart = { ...target, UploadId }
    try {
      const Parts = await putParts(flow, multipart, staged)
      const complete = new CompleteMultipartUploadCommand({ ...multipart, MultipartUpload: { Parts } })
      requireMember((await onS3(client.send(complete))).ETag)
    } catch (error) {
      // Best effort: a lifecycle rule of the bucket should delete abandoned uploads.
      await client.send(new AbortMultipartUploadCommand(multipart)).catch(() => {})
      throw error
    }
  }

  /** After a failure, no more parts are started, and the promise rejects only when none is in transfer any more. */
  const putParts = async (flow: Flow, multipart: Multipart, staged: StagedFile): Promise<CompletedPart[]> => {
    const parts: CompletedPart[] = []
    const count = Math.ceil(staged.size / PART_BYTES)
    let started = 0
    const runWorker = async (): Promise<void> => {
      while (started < count) {
        const index = started++
        try {
          parts[index] = await putPart(flow, multipart, staged, index)
        } catch (error) {
          started = count
          throw error
        }
      }
    }
    const outcomes = await Promise.allSettled(Array.from({ length: CONCURRENT_PARTS }, runWorker))
    const failed = outcomes.find((outcome) => outcome.status === 'rejected')
    if (failed) throw failed.reason
    return parts
  }

  const putPart = (flow: Flow, multipart: Multipart, { path, size }: StagedFile, index: number) => {
    const start = index * PART_BYTES
    const length = Math.min(PART_BYTES, size - start)
    return memory.run(flow, length, async (): Promise<CompletedPart> => {
      const Body = await onDisk(readPart(path, start, length))
      const PartNumber = index + 1
      const sum = sumOf(checksum, Body)
      const command = new UploadPartCommand({ ...multipart, ...sum, PartNumber, Body, ContentLength: length })
      const ETag = requireMember((await onS3(client.send(command, timeFor(length)))).ETag)
      // The last request names the SHA-256 of each part again.
      return { PartNumber, ETag, ...('ChecksumSHA256' in sum ? sum : {}) }
    })
  }

  return (companyId: string, target: UploadTarget, staged: StagedFile): Promise<void> => {
    const flow = { group: companyId, member: '' }
    return staged.size <= PART_BYTES ? putSingle(flow, target, staged) : putMultipart(flow, target, staged)
  }
}

/** What an upload is checked by, as its request names it. `sha256`: in base64, where it is known. */
export function sumOf(checksum: S3Checksum, bytes: Uint8Array, sha256?: string) {
  if (checksum === 'md5') return { ContentMD5: hash('md5', bytes, 'base64') }
  return { ChecksumSHA256: sha256 ?? hash('sha256', bytes, 'base64') }
}

async function readPart(path: string, start: number, length: number): Promise<Uint8Array> {
  await using handle = await open(path)
  const part = Buffer.allocUnsafe(length)
  for (let at = 0; at < length; ) {
    const { bytesRead } = await handle.read(part, at, length - at, start + at)
    if (bytesRead === 0) throw new Error(`a staged file is shorter than the ${start + length} bytes received`)
    at += bytesRead
  }
  return part
}
