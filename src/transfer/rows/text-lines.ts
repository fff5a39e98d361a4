// Reads the lines of a file in constant memory.
import { isUtf8 } from 'node:buffer'
import { firstInvalidLine } from '../../base/process/files.ts'
import { LINE_FEED } from './text-form.ts'

/** A file that cannot be imported at all. Messages begin in lower case: the command line puts its name before them. */
export class FileError extends Error {
  get sentence(): string {
    const text = this.message.slice(0, 1).toUpperCase() + this.message.slice(1, 1_000)
    return text.endsWith('?') ? text : `${text}.`
  }
}

/** Limit for a line in bytes, and for a row in characters. Far above the size of any record. */
export const MAX_ROW_LENGTH = 1024 * 1024

export interface Line {
  /** From 1. */
  readonly no: number
  /** Without the line feed; undefined when the line is too long. Such a line is skipped without buffering it. */
  readonly text: string | undefined
}

/** Programs of MS-DOS end files with it. */
const END_OF_DOS = 0x1a
const BYTE_ORDER_MARK = '\ufeff'

/** Yields the lines of each chunk. Throws a FileError for a line that is not UTF-8. */
export async function* linesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<Line[]> {
  let [no, isTooLong] = [0, false]
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of bytes) {
    const buffered = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const lines: Line[] = []
    let start = 0
    if (isTooLong) {
      start = buffered.indexOf(LINE_FEED) + 1
      if (start === 0) continue
      isTooLong = false
      no += 1
      lines.push({ no, text: undefined })
    }
    const end = buffered.lastIndexOf(LINE_FEED) + 1
    for (const line of end > start ? decodeLines(buffered.subarray(start, end - 1), no) : []) {
      no += 1
      lines.push({ no, text: line.length > MAX_ROW_LENGTH ? undefined : line })
    }
    if (lines.length > 0) yield lines
    rest = buffered.subarray(Math.max(start, end))
    isTooLong = rest.length > MAX_ROW_LENGTH
    if (isTooLong) rest = Buffer.alloc(0)
  }
  if (isTooLong) yield [{ no: no + 1, text: undefined }]
  const last = rest.at(-1) === END_OF_DOS ? rest.subarray(0, -1) : rest
  if (last.length > 0) yield [{ no: no + 1, text: decodeLines(last, no)[0] }]
}

/** In UTF-8 a line feed byte is never part of another character, so lines can be split before decoding. */
function decodeLines(bytes: Buffer, linesBefore: number): string[] {
  if (!isUtf8(bytes)) throw new FileError(`line ${linesBefore + firstInvalidLine(bytes)} of the file is not UTF-8`)
  const text = bytes.toString('utf8')
  return (linesBefore === 0 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text).split('\n')
}
