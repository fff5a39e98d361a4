// The data folder: one running service each, a ballast that a full disk can be rescued with, and the free space left.
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** An administrator may delete this file when the disk is full: even DELETE needs room in SQLite. */
const BALLAST_BYTES = 64 * 1024 * 1024
/** Below this, writes are refused while there is still room to stop in good order. */
export const LOW_WATER_BYTES = 512 * 1024 * 1024

export interface InstanceLock {
  release(): void
}

/** Takes the folder for this process; the operating system lets go of it however the process ends. */
export function lockDataFolder(folder: string): InstanceLock {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return takeLock(join(folder, 'instance.lock'), `the data folder ${folder} is in use by another Tabularium`)
}

/** A lock that one process has; throws an error that says `inUse` when another has it. */
export function takeLock(file: string, inUse: string): InstanceLock {
  const lock = new DatabaseSync(file, { timeout: 0 })
  try {
    lock.exec('pragma locking_mode = EXCLUSIVE')
    lock.exec('begin exclusive')
  } catch (cause) {
    lock.close()
    throw new Error(inUse, { cause })
  }
  return { release: () => lock.close() }
}

/** Removes what an earlier process left half-written. */
export function sweepTemporaryFiles(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name.endsWith('.tmp')) rmSync(join(folder, name), { force: true })
  }
}

/** Writes the ballast unless it is there or the disk is already short of room. */
export function layBallast(folder: string): void {
  const file = join(folder, 'ballast')
  if (existsSync(file) || freeBytes(folder) < LOW_WATER_BYTES + BALLAST_BYTES) return
  const handle = openSync(file, 'w', 0o600)
  const block = Buffer.alloc(1024 * 1024)
  for (let written = 0; written < BALLAST_BYTES; written += block.length) writeSync(handle, block)
  fsyncSync(handle)
  closeSync(handle)
}

export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}
