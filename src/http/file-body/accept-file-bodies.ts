// Which bodies a route with a file takes: JSON with base64 in it, or a form. Both are received in bounded memory.
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { tooLarge } from '../../errors/catalogue.ts'
import { asError } from '../../errors/thrown.ts'
import { requireMediaType } from '../body.ts'
import type { Budget } from '../budget.ts'
import { callerOf } from '../call-of.ts'
import type { RequestWithCaller } from '../server.ts'
import { LARGEST_BODY_BYTES } from './body-chunks.ts'
import { readJsonWithFile } from './json-body.ts'
import { readMultipart } from './multipart-body.ts'
import { discardContent, type FileBody, type FileIntake, type ReadBody } from './received.ts'
import { SlowUploads } from './slow-uploads.ts'

/** What one body takes while it comes in, and its answer later: the rest of the record as bytes and as text, chunks of the content. */
const MEMORY_OF_A_BODY_BYTES = 2 * 1024 * 1024

export interface FileBodySettings {
  readonly intake: FileIntake
  readonly budget: Budget
}

/** Teaches a part of the server bodies with files, in place of the others. */
export function acceptFileBodies(app: FastifyInstance, { intake, budget }: FileBodySettings): void {
  const slowUploads = new SlowUploads((flow) => budget.holdsUp(flow))
  const receive = async (request: FastifyRequest, read: () => Promise<ReadBody>): Promise<FileBody> => {
    if (Number(request.headers['content-length'] ?? 0) > LARGEST_BODY_BYTES) throw tooLarge(LARGEST_BODY_BYTES)
    const { flow } = callerOf(request as RequestWithCaller)
    const release = await budget.acquire(flow, MEMORY_OF_A_BODY_BYTES, (stop) => request.raw.once('close', stop))
    const reading = read()
    try {
      return { ...(await slowUploads.watch(flow, request.raw, reading)), release }
    } catch (error) {
      // What was given up may still have come to its end.
      reading
        .then(({ content }) => discardContent(intake, content))
        .catch(() => {})
        .finally(release)
      // The rest is passed over, so that the answer is read by a caller who is still sending.
      request.raw.resume()
      throw error
    }
  }
  // A parser that rejects with nothing has found nothing, for Fastify.
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
