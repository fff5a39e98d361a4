// What `--version` prints.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PROGRAM_VERSION } from '../base/program-version.ts'

const ROOT = new URL('../../', import.meta.url)
/** Written when a package is packed. */
const COMMIT = new URL('dist/commit', ROOT)

/** For people: `tabularium 0.1.0 (1506143), Node 24.21.0, SQLite 3.54.1`. */
export function versionText(): string {
  const { node, sqlite } = process.versions
  const commit = existsSync(new URL('.git', ROOT)) ? checkedOut() : packed()
  return `tabularium ${PROGRAM_VERSION}${commit ? ` (${commit})` : ''}, Node ${node}, SQLite ${sqlite}`
}

function packed(): string | undefined {
  return existsSync(COMMIT) ? readFileSync(COMMIT, 'utf8').trim() : undefined
}

function checkedOut(): string | undefined {
  try {
    const asked = ['-C', fileURLToPath(ROOT), 'rev-parse', '--short=7', 'HEAD']
    return execFileSync('git', asked, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    // Without git the rest is still told.
    return undefined
  }
}
