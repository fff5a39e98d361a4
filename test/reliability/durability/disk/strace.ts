// Records the system calls of a running process, or makes them fail, with strace. A call is identified by its thread,
// its kind and its number since strace was attached: strace counts the same way.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Whether strace is installed and may attach to a process. */
export const hasStrace = spawnSync('strace', ['-qq', '-o', '/dev/null', 'true']).status === 0

/**
 * File operations run in a pool of threads: with a single one, equal requests make equal calls in the same order.
 */
export const ONE_POOL_THREAD = { UV_THREADPOOL_SIZE: '1' }

/** Calls that change a disk or fail with it; and `writev`, which sends the answer. */
const KINDS = [
  ...['openat', 'write', 'writev', 'pwrite64', 'pwritev', 'fsync', 'fdatasync', 'ftruncate'],
  ...['rename', 'mkdir', 'unlink', 'utimensat'],
]

export type Thread = 'main' | 'pool'

export interface SystemCall {
  readonly thread: Thread
  readonly kind: string
  /** The number among those of its thread and kind, from 1. */
  readonly nth: number
  /** As strace prints it, with the paths of all files. */
  readonly text: string
  /** The lines of the log where it starts and where it has ended. */
  readonly begins: number
  readonly ends: number
}

interface Attached {
  /** Detaches from the process, if it still runs, and returns the log of its calls. */
  detach(): Promise<string>
}

/** Records every call until `stop`. */
export async function record(pid: number): Promise<{ stop(): Promise<SystemCall[]> }> {
  const threads = { main: pid, pool: poolThreadOf(pid) }
  const attached = await attach(Object.values(threads), ['-y', '-s', '0', '-e', `trace=${KINDS}`])
  return {
    stop: async () => callsIn((await attached.detach()).split('\n'), threads),
  }
}

export type Harm = 'signal=SIGKILL' | 'error=EIO' | 'error=ENOSPC'

/** Injects a fault into one future call; all others are unaffected. */
export function harm(pid: number, { thread, kind, nth }: Pick<SystemCall, 'thread' | 'kind' | 'nth'>, what: Harm) {
  const target = thread === 'main' ? pid : poolThreadOf(pid)
  return attach([target], ['-y', '-s', '0', '-e', `trace=${kind}`, '-e', `inject=${kind}:${what}:when=${nth}`])
}

/** The call that was made to fail, if it occurred, in the log of `harm`. */
export function struckBy(log: string): string | undefined {
  return log.split('\n').find((line) => line.includes('(INJECTED)'))
}

/** Whether the log of `harm` shows that the process was killed. */
export function wasKilled(log: string): boolean {
  return log.includes('+++ killed by SIGKILL +++')
}

async function attach(threads: readonly number[], args: readonly string[]): Promise<Attached> {
  const folder = mkdtempSync(join(tmpdir(), 'tabularium-strace-'))
  const log = join(folder, 'log')
  const child = spawn('strace', [...args, '-o', log, ...threads.flatMap((thread) => ['-p', String(thread)])])
  const ended = new Promise((resolve) => child.once('close', resolve))
  await Promise.race([attachedTo(child, threads.length), ended])
  if (child.exitCode !== null) throw new Error('strace has not come to the process')
  const detach = async () => {
    // strace exits with its process; this waits for the end of its log.
    child.kill('SIGINT')
    await ended
    const text = readFileSync(log, 'utf8')
    rmSync(folder, { recursive: true })
    return text
  }
  return { detach }
}

function attachedTo(child: ChildProcess, threads: number): Promise<void> {
  let reported = ''
  return new Promise((resolve) => {
    child.stderr?.on('data', (chunk: Buffer) => {
      reported += chunk
      if (reported.split(' attached\n').length > threads) resolve()
    })
  })
}

function poolThreadOf(pid: number): number {
  const tasks = `/proc/${pid}/task`
  const found = readdirSync(tasks).filter(
    (task) => readFileSync(join(tasks, task, 'comm'), 'utf8') === 'libuv-worker\n',
  )
  if (found.length !== 1) throw new Error(`the process has ${found.length} threads in its pool instead of 1`)
  return Number(found[0])
}

/** `PID kind(...) = 0`, or two lines when a call of another thread came in between. */
function callsIn(lines: readonly string[], { main }: Record<Thread, number>): SystemCall[] {
  const calls: SystemCall[] = []
  const counts = new Map<string, number>()
  for (const [begins, line] of lines.entries()) {
    const [, pid, kind] = /^(\d+) +(\w+)\(/.exec(line) ?? []
    if (pid === undefined || kind === undefined) continue
    const thread = Number(pid) === main ? 'main' : 'pool'
    const nth = (counts.get(thread + kind) ?? 0) + 1
    counts.set(thread + kind, nth)
    const rest = line.endsWith('<unfinished ...>')
      ? lines.findIndex((one, at) => at > begins && isRest(one, pid))
      : begins
    calls.push({ thread, kind, nth, text: line, begins, ends: rest < 0 ? lines.length : rest })
  }
  return calls
}

function isRest(line: string, pid: string): boolean {
  return line.startsWith(pid) && line.includes('<... ')
}
