// The output of `--version`.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PROGRAM_VERSION } from '../../base/process/program-version.ts'
import { orUndefined } from '../../base/thrown.ts'
import type { Terminal } from './terminal.ts'

const ROOT = new URL('../../../', import.meta.url)
/** File with the commit, written when the package is built. */
const COMMIT = new URL('dist/commit', ROOT)

/** Prints, for example, `tabularium 1.0.0 (1506143), Node 24.21.0, SQLite 3.54.1`. Returns the exit code. */
export function printVersion({ stdout }: Pick<Terminal, 'stdout'>): number {
  const { node, sqlite } = process.versions
  const commit = existsSync(new URL('.git', ROOT))
    ? commitFromGit()
    : orUndefined(() => readFileSync(COMMIT, 'utf8').trim())
  stdout.write(`tabularium ${PROGRAM_VERSION}${commit ? ` (${commit})` : ''}, Node ${node}, SQLite ${sqlite}\n`)
  return 0
}

/** Undefined without git. */
function commitFromGit(): string | undefined {
  const args = ['-C', fileURLToPath(ROOT), 'rev-parse', '--short=7', 'HEAD']
  return orUndefined(() => execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim())
}
