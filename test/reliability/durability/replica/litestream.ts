// Litestream, where `test/generators` is installed on a platform that it has a package for, with the files and commands of
// its page in the guides.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { blocksOf } from '../../../support/guides.ts'
import { PROGRAM as TABULARIUM } from '../../../support/program.ts'

const PAGE = 'guides/administration/litestream.md'
const TOOLS = createRequire(resolve('test/generators/package.json'))
const PLATFORM_PACKAGE = `@flydotio/litestream-${process.platform}-${process.arch}/package.json`
/** Undefined where the package is not installed. */
const PROGRAM = programPath()

export const isLitestreamInstalled = PROGRAM !== undefined

function programPath(): string | undefined {
  try {
    const path = join(dirname(TOOLS.resolve(PLATFORM_PACKAGE)), 'litestream')
    return existsSync(path) ? path : undefined
  } catch {
    return undefined
  }
}

/** A machine with its files in a folder, and a replica elsewhere. */
export interface Machine {
  readonly folder: string
  readonly replica: string
}

/** The data folder of the service. */
export function dataOf({ folder }: Machine): string {
  return join(folder, 'var/lib/tabularium')
}

function printed(start: string, { folder, replica }: Machine): string {
  const block = blocksOf(PAGE).find(({ text }) => text.includes(start))
  if (!block) throw new Error(`${PAGE} has no block with ${start}`)
  return block.text.replaceAll('/backup/litestream', replica).replaceAll(/ \/(?=var|etc)/g, ` ${folder}/`)
}

function configure(machine: Machine): string {
  const path = join(machine.folder, 'etc/litestream.yaml')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, printed('dbs:', machine))
  return path
}

/** Copies the database of a machine to its replica. */
export class Litestream {
  readonly #child: ChildProcess
  readonly #ended: Promise<void>

  constructor(machine: Machine) {
    this.#child = spawn(PROGRAM ?? '', ['replicate', '-config', configure(machine)], { stdio: 'ignore' })
    this.#ended = new Promise((resolve) => this.#child.once('exit', () => resolve()))
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#ended
  }
}

/** Restores and checks the newest state as the guide says; throws with all output when a command fails. */
export function restoreReplica(machine: Machine): void {
  configure(machine)
  const program = [process.execPath, ...TABULARIUM].map((part) => `'${part}'`).join(' ')
  const commands = `set -e\ntabularium() { ${program} "$@"; }\n${printed('litestream restore', machine)}`
  const env = { ...process.env, PATH: `${dirname(PROGRAM ?? '')}:${process.env.PATH}` }
  const { status, stdout, stderr } = spawnSync('sh', ['-c', commands], { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`the restore ended with ${status}: ${stdout}${stderr}`)
}
