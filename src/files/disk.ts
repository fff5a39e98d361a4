// Translates disk errors to Problems with status 503, because the same request may succeed later.
import { closeSync, fsync, open, read, write } from 'node:fs'
import { promisify } from 'node:util'
import { unavailable } from '../errors/catalogue.ts'

/** An operator has to free space or repair something first. */
const RETRY_AFTER_SECONDS = 30

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'there is no room left on the disk',
  EDQUOT: 'the quota of the disk is used up',
  EFBIG: 'a file may not become as large as this',
  EROFS: 'the disk is read-only',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EIO: 'the disk has failed',
  EACCES: 'access to the folder is denied',
  EPERM: 'access to the folder is denied',
  ESTALE: 'the disk is not reachable',
  ETIMEDOUT: 'the disk is not reachable',
  EHOSTDOWN: 'the disk is not reachable',
  ENOTCONN: 'the disk is not reachable',
}

/** Awaits a disk operation and translates its errors to Problems. */
export async function onDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw diskFault(error)
  }
}

/** What is wrong with the disk, in words; undefined for any other error. */
export const diskReason = (error: unknown): string | undefined => REASONS[codeOf(error) ?? '']

/** Translates an error of the disk; returns any other error unchanged. */
export function diskFault(error: unknown): unknown {
  const reason = diskReason(error)
  if (reason === undefined) return error
  return unavailable(`The file store cannot be used now: ${reason}. Try again later.`, RETRY_AFTER_SECONDS, error)
}

/** The code of a system error, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error)) return undefined
  return (error as NodeJS.ErrnoException).code
}

// File operations on descriptors, for strictly sequential use. `closeFile` is synchronous, because closing a file that
// was read or synced takes less time than a task of the thread pool. A descriptor must not be closed while it is in
// use.

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
