// Files that are read as text: those that are not UTF-8 are refused, because their letters would be lost.
import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'

const LINE_FEED = 0x0a
/** Byte order marks, and what UTF-16 without one has in every second byte of most texts. */
const UTF_16 = /^(?:\xff\xfe|\xfe\xff|[^\0]\0|\0[^\0])/

/** The text of a file that people write. Throws an Error that names the line. */
export function readText(file: string): string {
  return utf8Text(readFileSync(file), file)
}

/** `name`: what the error calls it. */
export function utf8Text(bytes: Buffer, name: string): string {
  if (UTF_16.test(bytes.toString('latin1', 0, 2))) throw new Error(`${name} is UTF-16: save it as UTF-8`)
  if (!isUtf8(bytes)) throw new Error(`${name}:${firstInvalidLine(bytes)} is not UTF-8: save it as UTF-8`)
  return bytes.toString('utf8')
}

/** From 1, of bytes that are not UTF-8. In UTF-8 a line feed byte is never part of another character. */
export function firstInvalidLine(bytes: Buffer): number {
  for (let [line, start] = [1, 0]; ; line++) {
    const end = bytes.indexOf(LINE_FEED, start)
    if (end < 0 || !isUtf8(bytes.subarray(start, end))) return line
    start = end + 1
  }
}
