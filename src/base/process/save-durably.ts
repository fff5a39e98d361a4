// Replaces a small file atomically and durably: even after a power failure it has the old or the new content, complete.
import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** `mode`: the permissions of the file; by default only its owner reads it. */
export function saveDurably(file: string, text: string, mode = 0o600): void {
  const folder = dirname(file)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const temporary = `${file}.${randomUUID()}.tmp`
  const handle = openSync(temporary, 'wx', mode)
  writeSync(handle, text)
  fsyncSync(handle)
  closeSync(handle)
  renameSync(temporary, file)
  const directory = openSync(folder, 'r')
  fsyncSync(directory)
  closeSync(directory)
}
