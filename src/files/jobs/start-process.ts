// Starts a process that works on what strangers have sent: held to its memory, without our environment, without rights
// that it does not need. Two things hold the memory, because each leaves a gap. The kernel's limit on private writable
// memory (RLIMIT_DATA) holds at every instant and for root too, but counts what is only set aside, and not every system
// keeps it; a look at the resident memory every few milliseconds (job-child.ts) counts truly, but comes a little late.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

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

/** Nothing that a content brings along may write files, start programs, or become code. */
const RIGHTS = ['--permission', '--allow-addons', '--allow-fs-read=*', '--disallow-code-generation-from-strings']

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
  const args = [...memory, ...RIGHTS, '--no-warnings', fileURLToPath(program)]
  const [command, before] =
    process.platform === 'linux' && existsSync(SHELL)
      ? [SHELL, ['-c', withLimits(memoryBytes), process.execPath]]
      : [process.execPath, []]
  return spawn(command, [...before, ...args], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    env: ENVIRONMENT,
    windowsHide: true,
  })
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
