// The program of the version before: that of the newest release tag before this commit; until there is one, of the
// commit in `previous-version.json`. It is taken from the history of the repository and bundled once.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { bundleInto, programIn } from '../support/program.ts'

/** Inside the checkout, so that the packages of the checkout are found. */
const FOLDER = join(import.meta.dirname, '../../.compiled/previous')
const RECORDED = join(import.meta.dirname, 'previous-version.json')
/** What a start of the program reads. */
const PARTS = ['src', 'packages', 'examples', 'package.json', 'package-lock.json']

export interface PreviousProgram {
  readonly version: string
  /** The arguments of Node.js that start it. */
  readonly program: readonly string[]
}

/** Throws when the history of this clone does not reach so far. */
export async function previousProgram(): Promise<PreviousProgram> {
  const version = newestTag() ?? recordedCommit()
  const commit = commitOf(version)
  const tree = join(FOLDER, commit)
  if (!existsSync(tree)) await build(commit, tree)
  return { version, program: programIn(join(tree, 'program')) }
}

function newestTag(): string | undefined {
  try {
    return git('describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*', 'HEAD^').toString().trim()
  } catch {
    return undefined
  }
}

function recordedCommit(): string {
  return (JSON.parse(readFileSync(RECORDED, 'utf8')) as { commit: string }).commit
}

function commitOf(version: string): string {
  try {
    return git('rev-parse', '--verify', '--quiet', `${version}^{commit}`).toString().trim()
  } catch (cause) {
    const advice = 'fetch it with "git fetch --unshallow --tags", or check out with fetch-depth: 0'
    throw new Error(`the history of this clone has no ${version}, which is the version before: ${advice}`, { cause })
  }
}

/** Built apart and renamed: several processes may need it at once. */
async function build(commit: string, tree: string): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  const made = mkdtempSync(join(FOLDER, 'made-'))
  try {
    execFileSync('tar', ['-x', '-C', made], { input: git('archive', commit, ...PARTS) })
    if (!hasPackagesOf(made)) installPackages(made)
    await bundleInto(join(made, 'program'), made, tree)
    renameSync(made, tree)
  } catch (error) {
    if (!existsSync(tree)) throw error
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}

type Locked = Readonly<Record<string, { readonly version?: string; readonly link?: boolean }>>

/** Whether this checkout has each package in the version that the tree has locked: it is found on the way up. */
function hasPackagesOf(tree: string): boolean {
  const lockOf = (folder: string) =>
    (JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as { packages: Locked }).packages
  const here = lockOf(join(import.meta.dirname, '../..'))
  return Object.entries(lockOf(tree)).every(
    ([path, { version }]) => !path.startsWith('node_modules/') || here[path]?.version === version,
  )
}

function installPackages(tree: string): void {
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']
  execFileSync('npm', args, { cwd: tree, stdio: ['ignore', 'ignore', 'inherit'] })
}

function git(...args: readonly string[]): Buffer {
  const options = { cwd: join(import.meta.dirname, '../..'), maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'pipe'] }
  return execFileSync('git', args, options as { cwd: string })
}
