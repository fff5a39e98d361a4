// Decodes text files in the encodings that are common in offices.
import { isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'
import type { GatheredText } from './gathered-text.ts'

/** Number of bytes that are decoded at a time, to save memory. */
const SLICE_BYTES = 1024 * 1024

/** Byte order marks and their encodings. */
const MARKS = [
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
] as const

/** Adds the text of a file; nothing for a content that is no text in a known encoding. */
export function readPlain(content: Buffer, text: GatheredText): void {
  for (const part of decodeText(content)) {
    text.add(part)
    if (text.isFull) return
  }
}

/** Yields the text of a file in slices. `declared`: the encoding that the file itself names. */
export function* decodeText(content: Buffer, declared?: string): Generator<string, void, void> {
  const encoding = encodingOf(content, declared)
  if (encoding === undefined) return
  const decoder = new TextDecoder(encoding)
  for (let at = 0; at < content.length; at += SLICE_BYTES) {
    yield decoder.decode(content.subarray(at, at + SLICE_BYTES), { stream: true })
  }
}

/** Older Western European files are in windows-1252. A content with zero bytes is not text. */
function encodingOf(content: Buffer, declared: string | undefined): string | undefined {
  const marked = MARKS.find(([mark]) => mark.every((byte, at) => content[at] === byte))
  if (marked) return marked[1]
  if (isUtf8(content)) return 'utf-8'
  return content.includes(0) ? undefined : (declared ?? 'windows-1252')
}

// Extracts the text of JSON and lines of JSON, with the characters that escapes stand for.

/** A complete escape, or the beginning of one at the end of the text. */
const ESCAPE = /\\(?:u([\da-f]{4})|([^u])|u?[\da-f]{0,3}$)/gis
/** White space and controls. */
const BLANKS = 'nrtbf'

/** Adds the text of a file, whether it is well formed or not. */
export function readJson(content: Buffer, text: GatheredText): void {
  let begun = ''
  for (const part of decodeText(content)) {
    const given = begun + part
    begun = ''
    text.add(
      given.replace(ESCAPE, (found, digits?: string, letter?: string) => {
        if (digits !== undefined) return String.fromCharCode(Number.parseInt(digits, 16))
        if (letter !== undefined) return BLANKS.includes(letter) ? ' ' : letter
        begun = found
        return ''
      }),
    )
    if (text.isFull) return
  }
}
