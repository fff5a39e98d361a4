// A file that is written by its name, as by a program that opens it: links are followed, mode and owner of a file stay,
// and a pipe or a device is written as it comes. Only a regular file has its old content until the new one is complete.
import { randomUUID } from 'node:crypto'
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { orUndefined } from '../thrown.ts'

interface NamedOutput {
  /** Open for writing. */
  readonly handle: number
  /** The file itself, behind links. */
  readonly path: string
  /** The content is complete. */
  keep(): void
  discard(): void
}

const PERMISSIONS = 0o7777

/** `mode` is that of a new file. Waits for the reader of a pipe. */
export function openOutput(name: string, mode = 0o666): NamedOutput {
  const found = statSync(name, { throwIfNoEntry: false })
  if (found && !found.isFile()) return inPlace(name)
  const path = found ? realpathSync(name) : behindLinks(name)
  // The other names of a file would keep its old content.
  if (found && found.nlink > 1) return inPlace(path)
  try {
    return beside(path, found, mode)
  } catch (error) {
    if (!found) throw error
    // The folder may not be written, or the file belongs to another user.
    return inPlace(path)
  }
}

/** A link to a file that is still to be made. */
function behindLinks(name: string): string {
  const file = join(realpathSync(dirname(name)), basename(name))
  const target = orUndefined(() => readlinkSync(file))
  return target === undefined ? file : behindLinks(resolve(dirname(file), target))
}

function inPlace(path: string): NamedOutput {
  const handle = openSync(path, 'w')
  return { handle, path, keep: () => closeSync(handle), discard: () => closeSync(handle) }
}

function beside(path: string, found: Stats | undefined, mode: number): NamedOutput {
  const temporary = `${path}.${randomUUID()}.tmp`
  const handle = openSync(temporary, 'wx', found ? 0o600 : mode)
  const discard = () => {
    closeSync(handle)
    rmSync(temporary, { force: true })
  }
  try {
    if (found) takeOver(handle, found)
  } catch (error) {
    discard()
    throw error
  }
  const keep = () => {
    fsyncSync(handle)
    closeSync(handle)
    renameSync(temporary, path)
  }
  return { handle, path, keep, discard }
}

/** Throws where this user may not give a file that owner. */
function takeOver(handle: number, { uid, gid, mode }: Stats): void {
  if (process.platform !== 'win32') fchownSync(handle, uid, gid)
  fchmodSync(handle, mode & PERMISSIONS)
}
