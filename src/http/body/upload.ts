// Body parsers of routes that take a file: JSON with base64 in it, or a form. Both use bounded memory.
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { tooLarge } from '../../errors/catalogue.ts'
import { asError } from '../../errors/thrown.ts'
import { callerOf } from '../api-request.ts'
import type { RequestWithCaller } from '../server.ts'
import { MAX_FILE_BODY_BYTES } from './body-chunks.ts'
import { requireMediaType } from './json-body.ts'
import { readJsonWithFile } from './json-upload.ts'
import { readMultipart } from './multipart-body.ts'
import { discardContent, type FileBody, type FileIntake, type ReadBody } from './received.ts'
import { SlowUploads } from './slow-uploads.ts'
import type { UploadMemory } from './upload-memory.ts'

/** Reserved for one request and its response: the record as bytes and as text, and chunks of the content. */
const MEMORY_PER_REQUEST_BYTES = 2 * 1024 * 1024

export interface FileBodySettings {
  readonly intake: FileIntake
  readonly memory: UploadMemory
}

/** Replaces the body parsers of a Fastify scope by those for bodies with a file. */
export function acceptFileBodies(app: FastifyInstance, { intake, memory }: FileBodySettings): void {
  const slowUploads = new SlowUploads((flow) => memory.isBlockingOthers(flow))
  const receive = async (request: FastifyRequest, read: () => Promise<ReadBody>): Promise<FileBody> => {
    if (Number(request.headers['content-length'] ?? 0) > MAX_FILE_BODY_BYTES) throw tooLarge(MAX_FILE_BODY_BYTES)
    const { flow } = callerOf(request as RequestWithCaller)
    const release = await memory.acquire(flow, MEMORY_PER_REQUEST_BYTES, (stop) => request.raw.once('close', stop))
    const reading = read()
    try {
      return { ...(await slowUploads.watch(flow, request.raw, reading)), release }
    } catch (error) {
      // The aborted reading may still succeed later.
      reading
        .then(({ content }) => discardContent(intake, content))
        .catch(() => {})
        .finally(release)
      // The rest is read and ignored, so that a client that is still sending gets to read the response.
      request.raw.resume()
      throw error
    }
  }
  // Fastify takes a rejection with null or undefined for success.
  const parse = (request: FastifyRequest, read: () => Promise<ReadBody>): Promise<FileBody> =>
    receive(request, read).catch((thrown: unknown) => {
      throw asError(thrown)
    })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', (request: FastifyRequest, payload: Readable) => {
    requireMediaType(request)
    return parse(request, () => readJsonWithFile(payload, intake))
  })
  app.addContentTypeParser('multipart/form-data', (request: FastifyRequest, payload: Readable) =>
    parse(request, () => readMultipart(payload, request.headers, intake)),
  )
}
