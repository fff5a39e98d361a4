// Where tests write: in memory where there is room for it, rather than on a disk that others use too.
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'

const MEMORY = '/dev/shm/'
const NEEDED_BYTES = 8 * 1024 ** 3

/** Sets TMPDIR for this process and those that it starts, unless it is set. The folder is removed at the end. */
export function writeToMemory(): void {
  if (process.env.TMPDIR !== undefined || !hasRoom()) return
  const folder = mkdtempSync(`${MEMORY}tabularium-`)
  // PostgreSQL may run as another user.
  chmodSync(folder, 0o755)
  process.env.TMPDIR = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= NEEDED_BYTES
  } catch {
    // Other systems have no such folder.
    return false
  }
}
