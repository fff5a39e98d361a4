// Brings the bytes of a file to UTF-8 with line feeds, in constant memory; UTF-8 itself passes through.
import iconv from 'iconv-lite'
import { ENCODINGS, LINE_FEED, RETURN, type TextForm } from './text-form.ts'
import { FileError } from './text-lines.ts'

type Bytes = AsyncIterable<Buffer>

export function asUtf8(bytes: Bytes, form: TextForm): Bytes {
  const utf8 = form.encoding === 'utf-8' ? bytes : decoded(bytes, form)
  return form.endsWithReturn ? withFeeds(utf8) : utf8
}

/** Encodes a text for a file of this form. */
export function encodeAs({ encoding }: TextForm, text: string): Buffer {
  return encoding === 'utf-8' ? Buffer.from(text) : iconv.encode(text, encoding)
}

async function* withFeeds(bytes: Bytes): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    for (let at = chunk.indexOf(RETURN); at >= 0; at = chunk.indexOf(RETURN, at + 1)) chunk[at] = LINE_FEED
    yield chunk
  }
}

async function* decoded(bytes: Bytes, { encoding }: TextForm): AsyncGenerator<Buffer> {
  const decoder = iconv.getDecoder(encoding)
  const isWide = encoding.startsWith('utf-16')
  let [held, line, length] = ['', 1, 0]
  const checked = (text: string): Buffer => {
    const damage = isWide ? firstLoneSurrogate(text) : text.indexOf('\ufffd')
    line += countFeeds(text, damage < 0 ? text.length : damage)
    if (damage >= 0) throw new FileError(`line ${line} of the file is not ${ENCODINGS[encoding]}`)
    return Buffer.from(text)
  }
  for await (const chunk of bytes) {
    length += chunk.length
    const text = held + decoder.write(chunk)
    // The second half of the character is in the next chunk.
    held = /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : ''
    yield checked(held ? text.slice(0, -1) : text)
  }
  if (isWide && length % 2 === 1) throw new FileError(`the file ends within a character of ${ENCODINGS[encoding]}`)
  const rest = held + (decoder.end() ?? '')
  if (rest) yield checked(rest)
}

function firstLoneSurrogate(text: string): number {
  if (text.isWellFormed()) return -1
  const repaired = text.toWellFormed()
  for (let at = 0; ; at++) if (text[at] !== repaired[at]) return at
}

function countFeeds(text: string, end: number): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count += 1
  return count
}
