// Writable copies of the data that is cached between runs.
import { execFileSync } from 'node:child_process'

/**
 * Copies a file or folder with its exact times. The service checks a database in the background if its file was changed
 * after the last close, and cpSync rounds times even with `preserveTimestamps`.
 */
export function copy(from: string, to: string): string {
  execFileSync('cp', ['-a', from, to])
  return to
}
