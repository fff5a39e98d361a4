import { Readable } from 'node:stream'
import { JobFailed } from './job-faults.ts'
import { pictureFormatOf, SIGNATURE_BYTES } from './picture-format.ts'

/**
 * Returns the complete content if it starts with the signature of a supported image. Throws `JobFailed` for anything
 * else, whatever its name, without reading more than its start.
 */
export async function openPicture(source: Readable): Promise<Readable> {
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  let head: Uint8Array = Buffer.alloc(0)
  while (head.length < SIGNATURE_BYTES) {
    const { value, done } = await chunks.next()
    if (done) break
    head = head.length === 0 ? value : Buffer.concat([head, value])
  }
  if (pictureFormatOf(head)) return Readable.from(concatenated(head, { [Symbol.asyncIterator]: () => chunks }))
  source.destroy()
  throw new JobFailed('the content does not begin as a picture')
}

async function* concatenated(
  head: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
  yield head
  yield* rest
}
