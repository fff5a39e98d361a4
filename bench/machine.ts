// The machine and the source that a run measures.
import { execFileSync } from 'node:child_process'
import { cpus, release } from 'node:os'

/** The machine, the versions, the source and the day, in one line. */
export function machine(): string {
  const [processor] = cpus()
  const hardware = `${cpus().length} cores of ${processor?.model.trim()}, Linux ${release()}`
  const { node, sqlite } = process.versions
  const today = new Date().toISOString().slice(0, 10)
  return `${hardware}, Node.js ${node}, its SQLite ${sqlite} under the floors; ${source()}, ${today}.`
}

/** The measured commit, and whether the checkout differs from it. */
export function source(): string {
  try {
    return `commit ${git('rev-parse', '--short', 'HEAD')}${isChanged() ? ' with changes' : ''}`
  } catch {
    return 'outside of a checkout'
  }
}

/** Whether the checkout differs from its commit. The page that receives the measurements does not count. */
export function isChanged(): boolean {
  return git('status', '--porcelain', '--', '.', ':!docs/generated/measurements.md') !== ''
}

function git(...args: string[]): string {
  return execFileSync('git', ['--no-optional-locks', ...args], { encoding: 'utf8' }).trim()
}
