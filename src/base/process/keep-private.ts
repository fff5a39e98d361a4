// Files that only their owner may read, whatever the umask of the process is and whoever has made them.
import { chmodSync, closeSync, openSync, statSync } from 'node:fs'

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
