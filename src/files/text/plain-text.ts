// Text files: what their bytes say, in the encodings that are met in offices.
import { isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'
import type { GatheredText } from './gathered-text.ts'

/** So much is decoded at once; more would only fill the memory. */
const SLICE_BYTES = 1024 * 1024

/** Byte order marks, and what each announces. */
const MARKS = [
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
] as const

/** Adds the text of a file. What is no text in any encoding that we know gives none. */
export function readPlain(content: Buffer, text: GatheredText): void {
  for (const part of decoded(content)) {
    text.add(part)
    if (text.isFull) return
  }
}

/** The text of a file in parts. */
export function* decoded(content: Buffer): Generator<string, void, void> {
  const encoding = encodingOf(content)
  if (encoding === undefined) return
  const decoder = new TextDecoder(encoding)
  for (let at = 0; at < content.length; at += SLICE_BYTES) {
    yield decoder.decode(content.subarray(at, at + SLICE_BYTES), { stream: true })
  }
}

/** Western European files of the time before Unicode have the letters of Latin-1, and no zeros: these mean other things. */
function encodingOf(content: Buffer): string | undefined {
  const marked = MARKS.find(([mark]) => mark.every((byte, at) => content[at] === byte))
  if (marked) return marked[1]
  if (isUtf8(content)) return 'utf-8'
  return content.includes(0) ? undefined : 'windows-1252'
}
