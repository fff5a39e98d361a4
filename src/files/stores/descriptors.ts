// Files by their descriptors, for those who do one thing after the other with them: closing what was read, or is synced,
// takes less time than to have it done by another thread. A descriptor must not be closed while it is used.
import { closeSync, fsync, open, read, write } from 'node:fs'
import { promisify } from 'node:util'

/** A file that is open. */
export type Descriptor = number

export const openFile = promisify(open)
/** Resolves with `bytesRead`. */
export const readInto = promisify(read)
/** Resolves when the operating system has put all of it on the disk. */
export const syncFile = promisify(fsync)
export const closeFile = closeSync

const writeSome = promisify(write)

/** Writes all of it where the file ends. The operating system may take less than it was given. */
export async function append(file: Descriptor, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await writeSome(file, bytes, at, bytes.length - at, null)).bytesWritten
}

/** The names in a folder are on the disk. */
export async function syncFolder(folder: string): Promise<void> {
  // There a folder cannot be opened, and its names need no sync.
  if (process.platform === 'win32') return
  const file = await openFile(folder, 'r')
  try {
    await syncFile(file)
  } finally {
    closeFile(file)
  }
}
