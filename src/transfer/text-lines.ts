// The lines of a file, in constant memory.
import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'

/** A file that cannot be imported at all. */
export class FileError extends Error {}

/** No record of ours comes near it; in bytes, and in characters of a row. */
export const LONGEST_ROW = 1024 * 1024

export interface Line {
  /** From 1. */
  readonly no: number
  /** Without the line feed; absent when the line is too long, which is passed over as it is read. */
  readonly text: string | undefined
}

const LINE_FEED = 0x0a
const BYTE_ORDER_MARK = '\ufeff'

/** As many as have come together. Throws a FileError for a line that is not UTF-8. */
export async function* linesOf(bytes: Readable): AsyncGenerator<Line[]> {
  let [no, isTooLong] = [0, false]
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    const joined = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const lines: Line[] = []
    let begin = 0
    if (isTooLong) {
      begin = joined.indexOf(LINE_FEED) + 1
      if (begin === 0) continue
      isTooLong = false
      no += 1
      lines.push({ no, text: undefined })
    }
    const end = joined.lastIndexOf(LINE_FEED) + 1
    for (const line of end > begin ? decoded(joined.subarray(begin, end - 1), no) : []) {
      no += 1
      lines.push({ no, text: line.length > LONGEST_ROW ? undefined : line })
    }
    if (lines.length > 0) yield lines
    rest = joined.subarray(Math.max(begin, end))
    isTooLong = rest.length > LONGEST_ROW
    if (isTooLong) rest = Buffer.alloc(0)
  }
  if (isTooLong) yield [{ no: no + 1, text: undefined }]
  else if (rest.length > 0) yield [{ no: no + 1, text: decoded(rest, no)[0] }]
}

/** A line feed is never a part of another character, so that lines can be told apart before they are decoded. */
function decoded(bytes: Buffer, linesBefore: number): string[] {
  if (!isUtf8(bytes)) throw new FileError(`line ${linesBefore + firstInvalid(bytes)} of the file is not UTF-8`)
  const text = bytes.toString('utf8')
  return (linesBefore === 0 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text).split('\n')
}

function firstInvalid(bytes: Buffer): number {
  for (let [line, begin] = [1, 0]; ; line++) {
    const end = bytes.indexOf(LINE_FEED, begin)
    if (end < 0 || !isUtf8(bytes.subarray(begin, end))) return line
    begin = end + 1
  }
}
