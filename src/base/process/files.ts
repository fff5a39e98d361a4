import { isUtf8 } from 'node:buffer'
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  statfsSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { openOutput } from './named-output.ts'

// Files that are read as text: those that are not UTF-8 are refused, because their letters would be lost.

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

// Replaces a small file atomically and durably: even after a power failure it has the old or the new content, complete.

/** Only the owner reads a new file. */
export function saveDurably(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const output = openOutput(file, 0o600)
  try {
    writeSync(output.handle, text)
  } catch (error) {
    output.discard()
    throw error
  }
  output.keep()
  const directory = openSync(dirname(output.path), 'r')
  fsyncSync(directory)
  closeSync(directory)
}

// Files that only their owner may read, whatever the umask of the process is and whoever has made them.

/** Makes the file if it is missing. One that is there is not opened: closing it would end locks of this process. */
export function keepPrivate(file: string): void {
  if (!statSync(file, { throwIfNoEntry: false })) closeSync(openSync(file, 'a', 0o600))
  takeFromOthers(file)
}

/** Does nothing to a file that is not there, or that belongs to somebody else. */
export function takeFromOthers(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false })
  if (found && (found.mode & 0o077) !== 0 && found.uid === process.getuid?.()) chmodSync(file, 0o600)
}

/** The room that this user has on the disk of a folder. Throws when the folder is gone. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}
