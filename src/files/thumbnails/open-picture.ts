import { Readable } from 'node:stream'
import { JobFailed } from '../jobs/job-faults.ts'
import { pictureFormatOf, SIGNATURE_BYTES } from './picture-format.ts'

/**
 * The whole content again, when it begins as a picture does. Of anything else, whatever its name says, nothing is read
 * but its first piece. Throws `JobFailed` for that.
 */
export async function openPicture(source: Readable): Promise<Readable> {
  const pieces = source[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  let head: Uint8Array = Buffer.alloc(0)
  while (head.length < SIGNATURE_BYTES) {
    const { value, done } = await pieces.next()
    if (done) break
    head = head.length === 0 ? value : Buffer.concat([head, value])
  }
  if (pictureFormatOf(head)) return Readable.from(joined(head, { [Symbol.asyncIterator]: () => pieces }))
  source.destroy()
  throw new JobFailed('the content does not begin as a picture')
}

async function* joined(head: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  yield head
  yield* rest
}
