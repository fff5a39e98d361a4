// Body parsers of routes that take a file: JSON with base64 in it, a form, or the file itself. All use bounded memory.

import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { base64Length } from '../../base/base64.ts'
import type { AdmissionQueue } from '../../base/concurrency/admission-queue.ts'
import { coded, tooLarge } from '../../errors/catalogue.ts'
import { asError } from '../../errors/thrown.ts'
import type { Staging } from '../../files/staging.ts'
import { callerOf, type RequestWithCaller } from '../pipeline/authenticate.ts'
import { BODY_LIMIT_BYTES, requireMediaType } from '../pipeline/json-body.ts'
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

/** Replaces the body parsers of a Fastify scope by those for bodies with a file. */
export function acceptFileBodies(app: FastifyInstance, settings: FileBodySettings, format: UploadFormat): void {
  const { staging } = settings
  // The content as base64, and the rest of the record. Twice the length, because some JSON writers escape every slash,
  // and the base64 of a white picture is full of slashes.
  const maxBodyBytes = 2 * base64Length(format.maxBytes) + BODY_LIMIT_BYTES
  const parse = bodyParser(settings, maxBodyBytes)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', (request: FastifyRequest, payload: Readable) => {
    requireMediaType(request)
    return parse(request, () => readJsonWithFile(chunksOf(payload, maxBodyBytes), format, staging))
  })
  app.addContentTypeParser('multipart/form-data', (request: FastifyRequest, payload: Readable) =>
    parse(request, () => readMultipart(chunksOf(payload, maxBodyBytes), request.headers, format, staging)),
  )
}

/** The same for bodies that are a file themselves. */
export function acceptRawBodies(app: FastifyInstance, settings: FileBodySettings, format: RawUpload): void {
  const { types, maxBytes } = format
  const parse = bodyParser(settings, maxBytes)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser([...types], (request: FastifyRequest, payload: Readable) =>
    parse(request, async () => {
      const content = await settings.staging.take(chunksOf(payload, maxBytes), maxBytes)
      return { body: null, content }
    }),
  )
}

type BodyParser = (request: FastifyRequest, read: () => Promise<ReadBody>) => Promise<FileBody>

function bodyParser({ staging, memory }: FileBodySettings, maxBodyBytes: number): BodyParser {
  const slowUploads = new SlowUploads((flow) => memory.isBlockingOthers(flow))
  const receive = async (request: FastifyRequest, read: () => Promise<ReadBody>): Promise<FileBody> => {
    if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) throw tooLarge(maxBodyBytes)
    const { flow } = callerOf(request as RequestWithCaller)
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
  // Fastify takes a rejection with null or undefined for success.
  return (request, read) =>
    receive(request, read).catch((thrown: unknown) => {
      throw asError(thrown)
    })
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
