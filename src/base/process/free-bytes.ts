import { statfsSync } from 'node:fs'

/** The room that this user has on the disk of a folder. Throws when the folder is gone. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}
