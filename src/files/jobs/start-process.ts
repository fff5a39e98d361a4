// Starts a process that works on what strangers have sent: held to its memory, without our environment, without rights
// that it does not need. Two things hold the memory, because each leaves a gap. The kernel's limit on private writable
// memory (RLIMIT_DATA) holds at every instant and for root too, but counts what is only set aside, and not every system
// keeps it; a look at the resident memory every few milliseconds (job-child.ts) counts truly, but comes a little late.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { siblingModule } from '../../base/sibling-module.ts'

const MIB = 1024 * 1024
/** A process whose service was killed while it runs in a circle never sees its channel end. */
const MOST_CPU_SECONDS = 900
/** Stacks of threads count for the limit though they are hardly used. 8 MiB each are usual; V8 needs one for itself. */
const STACK_KIB = 2048
/** Pages of the programs are in memory (50 MiB) but not in the limit; stacks and other reserves the other way round. */
const UNCOUNTED_BYTES = 40 * MIB
/** Of the memory, the part that objects of JavaScript may take; contents and pictures are not among them. */
const HEAP_SHARE = 0.4

const SHELL = '/bin/sh'

/**
 * Nothing that a content brings along may write files, start programs, or become code. The program and its libraries are all
 * that is read: not what the service keeps, nor its environment in `/proc`.
 */
const RIGHTS = ['--permission', '--allow-addons', '--disallow-code-generation-from-strings']
/** The network is shut off in the process itself; where the system lets us, it also has none. */
const SHUT_OFF = siblingModule('shut-off', import.meta.url)
const WITHOUT_NETWORK = ['unshare', '--map-current-user', '--net', '--']

/** Freed blocks go back to the system at once: a large job leaves no large process behind. */
const ENVIRONMENT = {
  PATH: process.env.PATH,
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  UV_THREADPOOL_SIZE: '2',
}

/** Starts the program in a process with a channel to us and a standard error of its own. */
export function startProcess(program: URL, memoryBytes: number): ChildProcess {
  const heapMib = Math.floor((memoryBytes * HEAP_SHARE) / MIB)
  const memory = [`--max-old-space-size=${heapMib}`, '--max-semi-space-size=8', '--v8-pool-size=1', '--expose-gc']
  const rights = [...RIGHTS, ...readable(program).map((path) => `--allow-fs-read=${path}`), `--import=${SHUT_OFF}`]
  const args = [...memory, ...rights, '--no-warnings', fileURLToPath(program)]
  const [command, before] =
    process.platform === 'linux' && existsSync(SHELL)
      ? [SHELL, ['-c', withLimits(memoryBytes), ...withoutNetwork(), process.execPath]]
      : [process.execPath, []]
  return spawn(command, [...before, ...args], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    env: ENVIRONMENT,
    windowsHide: true,
  })
}

/** The program, and the folders of libraries that it may load, however the service was installed. */
function readable(program: URL): string[] {
  const own = new URL('../../', import.meta.url)
  const above = foldersAbove(fileURLToPath(own))
  const libraries = above.map((folder) => join(folder, 'node_modules')).filter((folder) => existsSync(folder))
  const [parent = ''] = above
  const wanted = [fileURLToPath(program), fileURLToPath(own), join(parent, 'package.json'), ...libraries]
  const all = wanted.filter((path) => existsSync(path))
  // A link is read by either of its names.
  return [...new Set(all.flatMap((path) => [path, realpathSync(path)]))].map((path) =>
    statSync(path).isDirectory() ? join(path, '/') : path,
  )
}

function foldersAbove(folder: string): string[] {
  const parent = dirname(folder)
  return parent === folder ? [] : [parent, ...foldersAbove(parent)]
}

let beforeProgram: readonly string[] | undefined

/** What has a command run in a network of its own, which has nothing in it; nothing where the system does not let us. */
function withoutNetwork(): readonly string[] {
  const [command = '', ...options] = WITHOUT_NETWORK
  beforeProgram ??= spawnSync(command, [...options, 'true'], { stdio: 'ignore' }).status === 0 ? WITHOUT_NETWORK : []
  return beforeProgram
}

/**
 * For a shell, whose place the program takes. What it works on is never dumped, and when the machine has no memory left
 * it is the first to go.
 */
function withLimits(memoryBytes: number): string {
  const dataBytes = memoryBytes - UNCOUNTED_BYTES + codeRangeBytes()
  const limits = ['-c 0', `-t ${MOST_CPU_SECONDS}`, `-s ${STACK_KIB}`, `-d ${Math.ceil(dataBytes / 1024)}`]
  return [
    ...limits.map((limit) => `ulimit ${limit} 2>/dev/null`),
    'echo 1000 2>/dev/null >/proc/self/oom_score_adj',
    'exec "$0" "$@"',
  ].join('; ')
}

/**
 * V8 sets aside hundreds of megabytes for compiled code, as memory that may be written: they count for the limit, and
 * hardly any of them are used. We run the same program, so we can see how many they are.
 */
function codeRangeBytes(): number {
  const ranges = [...readFileSync('/proc/self/maps', 'utf8').matchAll(/^([0-9a-f]+)-([0-9a-f]+) .wx/gm)]
  return Math.max(0, ...ranges.map(([, from = '0', to = '0']) => Number.parseInt(to, 16) - Number.parseInt(from, 16)))
}
