// Runs some tests of one file of a copy of the project.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const PATIENCE_MS = 600_000

/**
 * What the tests need to notice a bug each time: all ways of doing it, and twice the rounds. The full form of the
 * reliability tests would take too long.
 */
const FORM = { RELIABILITY: 'long', TABULARIUM_TIMES: '2' }
/** The long form notes the commit, and the copy is no repository. */
const GIT_DIR = execFileSync('git', ['rev-parse', '--absolute-git-dir'], { encoding: 'utf8' }).trim()

export interface TestResult {
  /** With the titles around it. */
  readonly name: string
  readonly passed: boolean
}

interface Report {
  readonly testResults: readonly {
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[]
  }[]
}

/**
 * Runs the tests of the file whose names contain one of the titles. A file that does not start, or takes too long,
 * counts as one failed test of all these titles. No results: there is no such test, or sources that cannot be read.
 * `flags` are those of Vitest.
 */
export async function runTests(
  copy: string,
  file: string,
  titles: readonly string[],
  stores: string,
  stopped: AbortSignal,
  flags: readonly string[] = [],
): Promise<readonly TestResult[]> {
  const failed = (why: string) => [{ name: `${titles.join(', ')}: ${file} ${why}`, passed: false }]
  const report = join(copy, 'report.json')
  rmSync(report, { force: true })
  const pattern = titles.map((title) => title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
  const output = ['--reporter=json', `--outputFile=${report}`, `--fsModuleCachePath=${join(copy, 'modules')}`]
  const program = join(copy, 'node_modules/vitest/vitest.mjs')
  const child = spawn(process.execPath, [program, 'run', file, '-t', pattern, ...output, ...flags], {
    cwd: copy,
    stdio: 'ignore',
    env: { ...process.env, ...FORM, GIT_DIR, STORES: stores },
    // A group of its own, which ends as a whole: a mutation may hang in any of its processes.
    detached: true,
  })
  const late = AbortSignal.timeout(PATIENCE_MS)
  const end = () => process.kill(-child.pid!, 'SIGKILL')
  const ended = AbortSignal.any([late, stopped])
  ended.addEventListener('abort', end)
  await once(child, 'exit')
  ended.removeEventListener('abort', end)
  stopped.throwIfAborted()
  if (late.aborted) return failed('took too long')
  if (!existsSync(report)) return []
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
  return testResults.flatMap(({ assertionResults, status, message }) => {
    const ran = assertionResults.filter((one) => one.status === 'passed' || one.status === 'failed')
    if (ran.length === 0 && status === 'failed') return failed(`did not start: ${message}`)
    return ran.map((one) => ({ name: one.fullName, passed: one.status === 'passed' }))
  })
}
