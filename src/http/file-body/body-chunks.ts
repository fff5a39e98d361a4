// A body as it comes in, bounded.
import type { Readable } from 'node:stream'
import { base64Length } from '../../base/base64.ts'
import { coded, tooLarge } from '../../errors/catalogue.ts'
import { BODY_LIMIT_BYTES } from '../body.ts'
import { CONTENT_LIMIT_BYTES } from './received.ts'

/** The largest content as base64, and the rest of the record. Some escape every slash: a white picture is full of them. */
export const LARGEST_BODY_BYTES = 2 * base64Length(CONTENT_LIMIT_BYTES) + BODY_LIMIT_BYTES

/** Throws 413 beyond the limit, and 400 when the caller goes away in the middle. */
export async function* chunksOf(payload: Readable): AsyncGenerator<Buffer, void, void> {
  let sizeBytes = 0
  try {
    // A refusal must still reach the caller: the connection is not given up with the body.
    for await (const chunk of payload.iterator({ destroyOnReturn: false })) {
      sizeBytes += chunk.length
      if (sizeBytes > LARGEST_BODY_BYTES) break
      yield chunk
    }
  } catch (cause) {
    throw coded(400, 1010, 'The request body was not sent to its end.', { cause })
  }
  if (sizeBytes > LARGEST_BODY_BYTES) throw tooLarge(LARGEST_BODY_BYTES)
}
