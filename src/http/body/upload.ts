// How routes read bodies that bring a file: JSON with base64 in it, a form, or the file itself. All use bounded memory.

import type { Readable } from 'node:stream'
import { base64Length } from '../../base/base64.ts'
import type { AdmissionQueue } from '../../base/concurrency/admission-queue.ts'
import { coded, tooLarge } from '../../errors/catalogue.ts'
import type { Staging } from '../../files/staging.ts'
import { callerOf } from '../pipeline/authenticate.ts'
import { BODY_LIMIT_BYTES, type BodyReaders, requireMediaType } from '../pipeline/json-body.ts'
import type { PlainRequest } from '../route/plain-request.ts'
import type { RawUpload, ReadBody, UploadFormat } from '../route/upload-format.ts'
import { readJsonWithFile } from './json-upload.ts'
import { readMultipart } from './multipart-body.ts'
import { SlowUploads } from './slow-uploads.ts'

/** Reserved for one request and its response: the record as bytes and as text, and chunks of the content. */
const MEMORY_PER_REQUEST_BYTES = 2 * 1024 * 1024

export interface FileBodySettings {
  readonly staging: Staging
  readonly memory: AdmissionQueue
}

export interface FileBody extends ReadBody {
  /** Returns the memory reserved for the request; it covers the response too, so call it after that. */
  release(): void
}

export function fileReaders(settings: FileBodySettings, format: UploadFormat): BodyReaders {
  const { staging } = settings
  // The content as base64, and the rest of the record. Twice the length, because some JSON writers escape every slash,
  // and the base64 of a white picture is full of slashes.
  const maxBodyBytes = 2 * base64Length(format.maxBytes) + BODY_LIMIT_BYTES
  const receive = receiver(settings, maxBodyBytes)
  const readJson = (request: PlainRequest) => {
    requireMediaType(request)
    return receive(request, () => readJsonWithFile(chunksOf(request.raw, maxBodyBytes), format, staging))
  }
  const readForm = (request: PlainRequest) =>
    receive(request, () => readMultipart(chunksOf(request.raw, maxBodyBytes), request.headers, format, staging))
  return new Map([
    ['application/json', readJson],
    ['', readJson],
    ['multipart/form-data', readForm],
  ])
}

/** The same for bodies that are a file themselves. */
export function rawReaders(settings: FileBodySettings, { types, maxBytes }: RawUpload): BodyReaders {
  const receive = receiver(settings, maxBytes)
  const read = (request: PlainRequest) =>
    receive(request, async () => {
      const content = await settings.staging.take(chunksOf(request.raw, maxBytes), maxBytes)
      return { body: null, content }
    })
  return new Map(types.map((type) => [type, read]))
}

type Receive = (request: PlainRequest, read: () => Promise<ReadBody>) => Promise<FileBody>

function receiver({ staging, memory }: FileBodySettings, maxBodyBytes: number): Receive {
  const slowUploads = new SlowUploads((flow) => memory.isBlockingOthers(flow))
  return async (request, read) => {
    if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) throw tooLarge(maxBodyBytes)
    const { flow } = callerOf(request)
    const release = await memory.acquire(flow, MEMORY_PER_REQUEST_BYTES, (stop) => request.raw.once('close', stop))
    const reading = read()
    try {
      return { ...(await slowUploads.watch(flow, request.raw, reading)), release }
    } catch (error) {
      // The aborted reading may still succeed later.
      reading
        .then(({ content }) => staging.discard(content))
        .catch(() => {})
        .finally(release)
      // The rest is read and ignored, so that a client that is still sending gets to read the response.
      request.raw.resume()
      throw error
    }
  }
}

/** Throws 413 over the limit, and 400 if the client disconnects before the end. */
async function* chunksOf(payload: Readable, maxBytes: number): AsyncGenerator<Buffer, void, void> {
  let sizeBytes = 0
  try {
    // The payload is not destroyed at the end of the loop, so that an error response can still be sent.
    for await (const chunk of payload.iterator({ destroyOnReturn: false })) {
      sizeBytes += chunk.length
      if (sizeBytes > maxBytes) break
      yield chunk
    }
  } catch (cause) {
    throw coded(400, 1010, 'The request body was not sent to its end.', { cause })
  }
  if (sizeBytes > maxBytes) throw tooLarge(maxBytes)
}
