// The system calls of a running process, told or made to fail by strace. A call is named by its thread, its kind and its
// number among those since strace came: strace counts so, too.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Present, and allowed to look into a process. */
export const hasStrace = spawnSync('strace', ['-qq', '-o', '/dev/null', 'true']).status === 0

/** Files are worked on by a pool of threads: with one alone, the same request makes the same calls in the same order. */
export const ONE_POOL_THREAD = { UV_THREADPOOL_SIZE: '1' }

/** What changes a disk, or could not be done on a failing one; and `writev`, which sends the answer. */
const KINDS = [
  ...['openat', 'write', 'writev', 'pwrite64', 'pwritev', 'fsync', 'fdatasync', 'ftruncate'],
  ...['rename', 'mkdir', 'unlink', 'utimensat'],
]

export type Thread = 'main' | 'pool'

export interface SystemCall {
  readonly thread: Thread
  readonly kind: string
  /** Among those of its thread and kind, from 1. */
  readonly nth: number
  /** As strace writes it, with the paths of all files. */
  readonly text: string
  /** The lines of the log where it begins and where it has ended. */
  readonly begins: number
  readonly ends: number
}

interface Attached {
  /** Lets the process go, unless it is gone, and gives what was written about its calls. */
  detach(): Promise<string>
}

/** Tells every call from now on until `stop`. */
export async function record(pid: number): Promise<{ stop(): Promise<SystemCall[]> }> {
  const threads = { main: pid, pool: poolThreadOf(pid) }
  const attached = await attach(Object.values(threads), ['-y', '-s', '0', '-e', `trace=${KINDS}`])
  return {
    stop: async () => callsIn((await attached.detach()).split('\n'), threads),
  }
}

export type Harm = 'signal=SIGKILL' | 'error=EIO' | 'error=ENOSPC'

/** Does harm to one call that is still to come; the others are as ever. */
export function harm(pid: number, { thread, kind, nth }: Pick<SystemCall, 'thread' | 'kind' | 'nth'>, what: Harm) {
  const target = thread === 'main' ? pid : poolThreadOf(pid)
  return attach([target], ['-y', '-s', '0', '-e', `trace=${kind}`, '-e', `inject=${kind}:${what}:when=${nth}`])
}

/** The call that was made to fail, if it came, in the log of a harm. */
export function struckBy(log: string): string | undefined {
  return log.split('\n').find((line) => line.includes('(INJECTED)'))
}

/** Whether the log of a harm tells that the process was killed. */
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
    // What is gone has ended strace, too; this waits for the end of its log.
    child.kill('SIGINT')
    await ended
    const text = readFileSync(log, 'utf8')
    rmSync(folder, { recursive: true })
    return text
  }
  return { detach }
}

function attachedTo(child: ChildProcess, threads: number): Promise<void> {
  let told = ''
  return new Promise((resolve) => {
    child.stderr?.on('data', (chunk: Buffer) => {
      told += chunk
      if (told.split(' attached\n').length > threads) resolve()
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

/** `PID kind(...) = 0`, or in two lines when another thread's call came in between. */
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
