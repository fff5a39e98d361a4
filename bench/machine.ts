// What the figures were taken on.
import { execFileSync } from 'node:child_process'
import { cpus, release } from 'node:os'
import Database from 'better-sqlite3'

/** The machine, the versions, the source and the day, in one line. */
export function machine(): string {
  const sqlite = new Database(':memory:').prepare('select sqlite_version()').pluck().get()
  const [processor] = cpus()
  const hardware = `${cpus().length} cores of ${processor?.model.trim()}, Linux ${release()}`
  const today = new Date().toISOString().slice(0, 10)
  return `${hardware}, Node.js ${process.versions.node}, SQLite ${sqlite}; ${source()}, ${today}.`
}

/** The commit that was measured, and whether the service's source differs from it. */
function source(): string {
  const git = (...args: string[]) => execFileSync('git', ['--no-optional-locks', ...args], { encoding: 'utf8' }).trim()
  try {
    const isChanged = git('status', '--porcelain', '--', 'src') !== ''
    return `commit ${git('rev-parse', '--short', 'HEAD')}${isChanged ? ' with changes in src' : ''}`
  } catch {
    return 'outside of a checkout'
  }
}
