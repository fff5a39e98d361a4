// Where a running service takes commands: a socket in its data folder, which only its user may use.
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'

export const SOCKET_NAME = 'service.sock'

/** What an address of a socket may have in bytes, with its terminating zero: less on macOS than elsewhere. */
const MAX_PATH_BYTES = process.platform === 'linux' ? 107 : 103

/**
 * Calls `use` with an address of the file that is short enough: on Linux one by a handle of its folder, which is open
 * until `use` has returned.
 */
export function withSocketAddress<T>(folder: string, name: string, use: (address: string) => T): T {
  const file = join(folder, name)
  if (Buffer.byteLength(file) <= MAX_PATH_BYTES || process.platform !== 'linux') return use(file)
  const handle = openSync(folder, 'r')
  try {
    return use(`/proc/self/fd/${handle}/${name}`)
  } finally {
    closeSync(handle)
  }
}
