// Reads a request body in chunks, up to a limit.
import type { Readable } from 'node:stream'
import { base64Length } from '../../base/base64.ts'
import { coded, tooLarge } from '../../errors/catalogue.ts'
import { BODY_LIMIT_BYTES } from './json-body.ts'
import { CONTENT_LIMIT_BYTES } from './received.ts'

/**
 * The largest content as base64, and the rest of the record. Twice the length, because some JSON writers escape every
 * slash, and the base64 of a white picture is full of slashes.
 */
export const MAX_FILE_BODY_BYTES = 2 * base64Length(CONTENT_LIMIT_BYTES) + BODY_LIMIT_BYTES

/** Throws 413 over the limit, and 400 if the client disconnects before the end. */
export async function* chunksOf(payload: Readable): AsyncGenerator<Buffer, void, void> {
  let sizeBytes = 0
  try {
    // The payload is not destroyed at the end of the loop, so that an error response can still be sent.
    for await (const chunk of payload.iterator({ destroyOnReturn: false })) {
      sizeBytes += chunk.length
      if (sizeBytes > MAX_FILE_BODY_BYTES) break
      yield chunk
    }
  } catch (cause) {
    throw coded(400, 1010, 'The request body was not sent to its end.', { cause })
  }
  if (sizeBytes > MAX_FILE_BODY_BYTES) throw tooLarge(MAX_FILE_BODY_BYTES)
}
