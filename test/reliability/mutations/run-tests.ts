// Runs some tests of one file of a copy of the project.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** It ends what hangs: a busy machine may be ten times slower than a quiet one. */
const PATIENCE_MS = 1_800_000

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
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[]
  }[]
}

/**
 * Runs the tests of the file whose names contain one of the titles. A file that takes too long counts as one failed
 * test of all these titles. No results: there is no such test, sources cannot be read, or what comes before the tests
 * has failed, which proves nothing of them. `flags` are those of Vitest.
 */
export async function runTests(
  copy: string,
  file: string,
  titles: readonly string[],
  stores: string,
  stopped: AbortSignal,
  flags: readonly string[] = [],
): Promise<readonly TestResult[]> {
  const report = join(copy, 'report.json')
  rmSync(report, { force: true })
  const pattern = titles.map((title) => title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
  const output = ['--reporter=json', `--outputFile=${report}`]
  const patience = `--testTimeout=${PATIENCE_MS}`
  const program = join(copy, 'node_modules/vitest/vitest.mjs')
  const child = spawn(process.execPath, [program, 'run', file, '-t', pattern, patience, ...output, ...flags], {
    cwd: copy,
    stdio: 'ignore',
    env: { ...process.env, ...FORM, GIT_DIR, STORES: stores, NODE_COMPILE_CACHE: join(copy, 'compiled') },
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
  if (late.aborted) return [{ name: `${titles.join(', ')}: ${file} took too long`, passed: false }]
  if (!existsSync(report)) return []
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
  return testResults.flatMap(({ assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ fullName, status }) => ({ name: fullName, passed: status === 'passed' })),
  )
}
