// What the figures were taken on.
import { execFileSync } from 'node:child_process'
import { cpus, release } from 'node:os'

/** The machine, the versions, the source and the day, in one line. */
export function machine(): string {
  const [processor] = cpus()
  const hardware = `${cpus().length} cores of ${processor?.model.trim()}, Linux ${release()}`
  const { node, sqlite } = process.versions
  const today = new Date().toISOString().slice(0, 10)
  return `${hardware}, Node.js ${node}, SQLite ${sqlite} of it under the floors; ${source()}, ${today}.`
}

/** The commit that is measured, and whether what is there differs from it. */
export function source(): string {
  try {
    return `commit ${git('rev-parse', '--short', 'HEAD')}${isChanged() ? ' with changes' : ''}`
  } catch {
    return 'outside of a checkout'
  }
}

/** Whether figures would not be those of the commit. The page that they are written to does not count. */
export function isChanged(): boolean {
  return git('status', '--porcelain', '--', '.', ':!docs/performance.md') !== ''
}

function git(...args: string[]): string {
  return execFileSync('git', ['--no-optional-locks', ...args], { encoding: 'utf8' }).trim()
}
