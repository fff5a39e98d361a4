// Copies of what is kept between runs, to write in.
import { execFileSync } from 'node:child_process'

/**
 * A file or a folder with all times as they are: the service checks a database in the background that was changed since it
 * was closed, and cpSync rounds the times even where it is told to keep them.
 */
export function copy(from: string, to: string): string {
  execFileSync('cp', ['-a', from, to])
  return to
}
