// File operations on descriptors, for strictly sequential use. `closeFile` is synchronous, because closing a file that
// was read or synced takes less time than a task of the thread pool. A descriptor must not be closed while it is in
// use.
import { closeSync, fsync, open, read, write } from 'node:fs'
import { promisify } from 'node:util'

/** An open file. */
export type Descriptor = number

export const openFile = promisify(open)
/** Resolves with `bytesRead`. */
export const readInto = promisify(read)
/** Resolves when the file is on disk. */
export const syncFile = promisify(fsync)
export const closeFile = closeSync

const writeSome = promisify(write)

/** Writes all bytes at the current position. One system call may write fewer bytes than it was given. */
export async function append(file: Descriptor, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await writeSome(file, bytes, at, bytes.length - at, null)).bytesWritten
}

/** Syncs the entries of a folder to disk. */
export async function syncFolder(folder: string): Promise<void> {
  // On Windows a folder cannot be opened, and its entries need no sync.
  if (process.platform === 'win32') return
  const file = await openFile(folder, 'r')
  try {
    await syncFile(file)
  } finally {
    closeFile(file)
  }
}
