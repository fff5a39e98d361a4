// Starts a process that handles untrusted input: with a memory limit, without the environment of the service, and with
// minimal permissions. Two mechanisms limit the memory, because each has a gap. The kernel's limit on private writable
// memory (RLIMIT_DATA) applies at every instant and to root too, but it counts reserved memory, and not every system
// enforces it. Polling the resident memory every few milliseconds (job-pool.ts) counts correctly, but reacts a little
// late.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { siblingModule } from '../../base/process/processes.ts'

const MIB = 1024 * 1024
/** Ends a process in an endless loop whose service was killed: it never reads the end of its channel. */
const MAX_CPU_SECONDS = 900
/** Thread stacks count towards the limit though they are hardly used. The usual size is 8 MiB each; V8 needs 1 MiB. */
const STACK_KIB = 2048
/** Program pages (50 MiB) are resident but outside the limit; for unused stacks and reserves it is the opposite. */
const UNCOUNTED_BYTES = 40 * MIB
/** Share of the memory for the JavaScript heap. Contents and images are outside the heap. */
const HEAP_SHARE = 0.4

const SHELL = '/bin/sh'

/**
 * A content cannot make the process write files, start programs, or evaluate code. The process can read only its
 * program and libraries: neither the data of the service nor its environment in `/proc`.
 */
const PERMISSIONS = ['--permission', '--allow-addons', '--disallow-code-generation-from-strings']
/** The preloaded module blocks the network. Where the system allows, the network namespace is empty, too. */
const PRELOAD = siblingModule('shut-off', import.meta.url)
const UNSHARE_NETWORK = ['unshare', '--map-current-user', '--net', '--']

/** malloc returns freed blocks to the system at once, so that a process shrinks after a large job. */
const ENVIRONMENT = {
  PATH: process.env.PATH,
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  UV_THREADPOOL_SIZE: '2',
}

/** Starts the program in a process with a channel to the service and a piped standard error. */
export function startProcess(program: URL, memoryBytes: number): ChildProcess {
  const heapMib = Math.floor((memoryBytes * HEAP_SHARE) / MIB)
  const memory = [`--max-old-space-size=${heapMib}`, '--max-semi-space-size=8', '--v8-pool-size=1', '--expose-gc']
  const permissions = [
    ...PERMISSIONS,
    ...readablePaths(program).map((path) => `--allow-fs-read=${path}`),
    `--import=${PRELOAD}`,
  ]
  const args = [...memory, ...permissions, '--no-warnings', fileURLToPath(program)]
  const [command, prefix] =
    process.platform === 'linux' && existsSync(SHELL)
      ? [SHELL, ['-c', withLimits(memoryBytes), ...networkIsolation(), process.execPath]]
      : [process.execPath, []]
  return spawn(command, [...prefix, ...args], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    env: ENVIRONMENT,
    windowsHide: true,
  })
}

/** The program and the folders of its libraries, wherever the service is installed. */
function readablePaths(program: URL): string[] {
  const sourceRoot = new URL('../../', import.meta.url)
  const parents = parentFolders(fileURLToPath(sourceRoot))
  const libraries = parents.map((folder) => join(folder, 'node_modules')).filter((folder) => existsSync(folder))
  const [parent = ''] = parents
  const wanted = [fileURLToPath(program), fileURLToPath(sourceRoot), join(parent, 'package.json'), ...libraries]
  const all = wanted.filter((path) => existsSync(path))
  // Permissions apply to both names of a symbolic link.
  return [...new Set(all.flatMap((path) => [path, realpathSync(path)]))].map((path) =>
    statSync(path).isDirectory() ? join(path, '/') : path,
  )
}

function parentFolders(folder: string): string[] {
  const parent = dirname(folder)
  return parent === folder ? [] : [parent, ...parentFolders(parent)]
}

let isolationCommand: readonly string[] | undefined

/** The command prefix that runs a program in an empty network namespace; empty where the system forbids it. */
function networkIsolation(): readonly string[] {
  const [command = '', ...options] = UNSHARE_NETWORK
  isolationCommand ??= spawnSync(command, [...options, 'true'], { stdio: 'ignore' }).status === 0 ? UNSHARE_NETWORK : []
  return isolationCommand
}

/**
 * Shell script that sets the limits and then executes the program in its place. Core dumps are disabled, because they
 * would contain the content. When the machine runs out of memory, the kernel kills this process first.
 */
function withLimits(memoryBytes: number): string {
  const dataBytes = memoryBytes - UNCOUNTED_BYTES + codeRangeBytes()
  const limits = ['-c 0', `-t ${MAX_CPU_SECONDS}`, `-s ${STACK_KIB}`, `-d ${Math.ceil(dataBytes / 1024)}`]
  return [
    ...limits.map((limit) => `ulimit ${limit} 2>/dev/null`),
    'echo 1000 2>/dev/null >/proc/self/oom_score_adj',
    'exec "$0" "$@"',
  ].join('; ')
}

/**
 * V8 reserves hundreds of megabytes of writable memory for compiled code. They count towards the limit, but hardly any
 * of them are used. This process runs the same V8, so its own memory map shows the size.
 */
function codeRangeBytes(): number {
  const ranges = [...readFileSync('/proc/self/maps', 'utf8').matchAll(/^([0-9a-f]+)-([0-9a-f]+) .wx/gm)]
  return Math.max(0, ...ranges.map(([, from = '0', to = '0']) => Number.parseInt(to, 16) - Number.parseInt(from, 16)))
}
