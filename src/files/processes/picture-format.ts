import { Readable } from 'node:stream'
import { JobFailed } from './job-faults.ts'

// Detects supported image formats by their signature: file names are not trusted.

type PictureFormat = 'png' | 'jpeg' | 'gif' | 'webp' | 'tiff'

/** Length of the longest signature below. */
const SIGNATURE_BYTES = 12

/** Patterns of hexadecimal digits. */
const SIGNATURES: readonly (readonly [PictureFormat, RegExp])[] = [
  ['png', /^89504e470d0a1a0a/],
  ['jpeg', /^ffd8ff/],
  ['gif', /^47494638(?:37|39)61/],
  ['webp', /^52494646.{8}57454250/],
  ['tiff', /^(?:49492a00|4d4d002a)/],
]

/** The image format of a content from its first bytes; undefined for unsupported formats. */
export function pictureFormatOf(head: Uint8Array): PictureFormat | undefined {
  const digits = Buffer.from(head.subarray(0, SIGNATURE_BYTES)).toString('hex')
  return SIGNATURES.find(([, signature]) => signature.test(digits))?.[0]
}

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
