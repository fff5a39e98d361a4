// Runs jobs on file contents in processes with limited time, memory and permissions. A content that hangs or crashes
// its process, or exhausts its memory, affects nothing else. However the process ends, the caller gets the reason.
import { addAbortSignal, type Readable } from 'node:stream'
import type { Flow } from '../../base/concurrency/fair-queue.ts'
import type { QueueFigures } from '../../base/concurrency/waiting-queue.ts'
import { siblingModule } from '../../base/process/processes.ts'
import { FrameKind } from '../../process-pool/frames.ts'
import type { PooledProcess } from '../../process-pool/pooled-process.ts'
import { ProcessPool } from '../../process-pool/process-pool.ts'
import { JobFailed, JobKilled, type KillReason, QueueFull } from './job-faults.ts'
import type { JobDescription } from './serve-jobs.ts'
import { startProcess } from './start-process.ts'

/** No valid answer is larger than this. */
const MAX_ANSWER_BYTES = 20 * 1024 * 1024
/** Time limit for starting a process, and for loading the libraries of a kind of job. */
const START_MS = 20_000
/** Timeout for sending a content: its source may be slow, or may have stopped without an error. */
const CONTENT_TIMEOUT_MS = 60_000
/** Least timeout for what has a limit of processor time: the process may wait for something, or for a processor. */
const MAX_ELAPSED_MS = 30_000
/** Interval of the checks. A process can exceed its memory limit by only a few megabytes in between. */
const CHECK_MS = 20
/** A process is replaced after this much work, so that leaks do not accumulate. */
const MAX_WORK_MS = 60_000
/** Share of its memory limit that an idle process may still occupy. */
const MAX_IDLE_SHARE = 0.65
/** Share of the memory limit that a content may occupy. */
const MAX_CONTENT_SHARE = 0.4

const PROGRAM = siblingModule('job-process', import.meta.url)

export interface PoolSettings {
  /** Maximum number of processes. A company has all but one. */
  readonly processes: number
  /** Memory limit of each process. */
  readonly memoryBytes: number
  /** Maximum number of waiting jobs. */
  readonly queue: number
  /** Time without a job after which a process ends. */
  readonly idleMs?: number
  /** The program of a process; it must call `runJobs`. */
  readonly program?: URL
}

export interface Job extends JobDescription {
  /**
   * Limit of processor time for the work, counted from when the process is ready and has the content. Elapsed time
   * depends on what else the machine does; it is the limit on a system that does not tell processor times.
   */
  readonly timeoutMs: number
}

/** A content that is opened only when a process is ready to receive it. */
export interface JobContent {
  readonly sizeBytes: number
  read(): Promise<Readable>
}

export class JobPool {
  readonly #memoryBytes: number
  readonly #pool: ProcessPool
  /** How long each process that is ready has worked. */
  readonly #workedMs = new WeakMap<PooledProcess, number>()

  constructor({ processes, memoryBytes, queue, idleMs, program = PROGRAM }: PoolSettings) {
    this.#memoryBytes = memoryBytes
    this.#pool = new ProcessPool({
      inFlight: processes,
      // A company whose contents take as long as they may leaves a process to others, and comes after them.
      maxPerGroup: Math.max(1, processes - 1),
      isByTime: true,
      waiting: queue,
      idleMs,
      start: () => startProcess(program, memoryBytes),
      ended: (reason, isFromOutside) => new JobKilled(isFromOutside ? 'stopped' : 'ended', reason),
      refusal: () => new QueueFull('too many jobs are waiting'),
    })
  }

  get figures(): QueueFigures {
    return this.#pool.figures
  }

  /**
   * Runs one job and returns its answer. `flow` identifies the caller for fair scheduling. The content is opened when a
   * process is ready, and streamed to it. Throws `JobFailed`, `JobKilled`, `QueueFull`, or the error of reading the
   * content.
   */
  async run(flow: Flow, job: Job, content?: JobContent): Promise<Uint8Array> {
    const release = await this.#pool.acquire(flow)
    let process: PooledProcess | undefined
    try {
      process = this.#pool.take()
      await withinProcessorTime(process, START_MS, process.ready)
      return await this.#perform(process, job, content)
    } finally {
      if (process) this.#pool.giveBack(process, release, this.#isReusable(process))
      else release()
    }
  }

  /** Kills all processes. Waiting and further jobs are rejected (503). */
  close(): Promise<void> {
    return this.#pool.close()
  }

  async #perform(process: PooledProcess, { timeoutMs, kind, options }: Job, content?: JobContent): Promise<Buffer> {
    const { sizeBytes = 0 } = content ?? {}
    const worked = this.#workedMs.get(process) ?? 0
    this.#workedMs.set(process, worked)
    if (sizeBytes > this.#memoryBytes * MAX_CONTENT_SHARE) throw new JobFailed(`the content has ${sizeBytes} bytes`)
    const source = await content?.read()
    const startedAt = performance.now()
    const memoryCheck = setInterval(() => this.#checkMemory(process), CHECK_MS)
    try {
      process.send(FrameKind.request, Buffer.from(JSON.stringify({ kind, options })))
      await withinProcessorTime(process, START_MS, answerOf(process))
      process.sendHeader(FrameKind.chunk, sizeBytes)
      if (source) await within(process, CONTENT_TIMEOUT_MS, sendContent(process, source, sizeBytes))
      return await withinProcessorTime(process, timeoutMs, answerOf(process))
    } finally {
      source?.destroy()
      clearInterval(memoryCheck)
      this.#workedMs.set(process, worked + performance.now() - startedAt)
    }
  }

  /** One that has worked for long, or occupies much memory, is replaced. */
  #isReusable(process: PooledProcess): boolean {
    const worked = this.#workedMs.get(process) ?? 0
    return process.isReusable && worked < MAX_WORK_MS && process.residentBytes < this.#memoryBytes * MAX_IDLE_SHARE
  }

  #checkMemory(process: PooledProcess): void {
    const { residentBytes } = process
    if (residentBytes > this.#memoryBytes) process.kill(new JobKilled('memory', `${residentBytes} bytes of memory`))
  }
}

/** `reason`: that of elapsed time is a slow source, or a busy machine. */
function within<T>(process: PooledProcess, ms: number, work: Promise<T>, reason: KillReason = 'stopped'): Promise<T> {
  return process.within(ms, () => late(reason, ms), work)
}

async function withinProcessorTime<T>(process: PooledProcess, ms: number, work: Promise<T>): Promise<T> {
  const before = process.processorMs
  if (before === undefined) return within(process, ms, work, 'time')
  const check = setInterval(() => {
    if ((process.processorMs ?? 0) - before > ms) process.kill(late('time', ms))
  }, CHECK_MS)
  return within(process, Math.max(MAX_ELAPSED_MS, ms), work).finally(() => clearInterval(check))
}

const late = (reason: KillReason, ms: number) => new JobKilled(reason, `not done within ${ms} ms`)

/** If the content is incomplete, the process waiting for the rest is killed. */
async function sendContent(process: PooledProcess, source: Readable, sizeBytes: number): Promise<void> {
  let missing = sizeBytes
  try {
    for await (const chunk of addAbortSignal(process.gone, source) as AsyncIterable<Uint8Array>) {
      missing -= chunk.length
      if (missing < 0) break
      await process.sendPart(chunk)
    }
    if (missing !== 0) throw new Error(`the content has not the ${sizeBytes} bytes that it should have`)
  } catch (error) {
    process.kill(error as Error)
    throw error
  }
}

async function answerOf(process: PooledProcess): Promise<Buffer> {
  const kind = await process.nextFrame()
  if (process.left > MAX_ANSWER_BYTES) {
    process.kill(new JobKilled('memory', `the answer would have ${process.left} bytes`))
  }
  const answer = await process.readBody()
  if (kind === FrameKind.failure) throw new JobFailed(answer.toString())
  return answer
}
