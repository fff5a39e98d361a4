// Controls one job process: sends it jobs with their contents, monitors it, and kills it when it exceeds its time or
// memory. However the process ends, the caller of its job gets the reason.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { addAbortSignal, type Readable } from 'node:stream'
import { residentBytes } from '../../base/process/resident-memory.ts'
import { ANSWER_HEADER_BYTES, AnswerKind, type JobDescription, jobHeader } from './frames.ts'
import { JobFailed, JobKilled, type KillReason } from './job-faults.ts'
import { startProcess } from './start-process.ts'

/** No valid answer is larger than this. */
const MAX_ANSWER_BYTES = 20 * 1024 * 1024
/** Startup timeout. Loading from source on a busy machine takes a second. */
const START_MS = 20_000
/** Timeout for sending a content: its source may be slow, or may have stopped without an error. */
const CONTENT_TIMEOUT_MS = 60_000
/** Interval of the memory check. A process can exceed its limit by only a few megabytes in between. */
const MEMORY_CHECK_MS = 20
/** A process is replaced after this much work, so that leaks do not accumulate. */
const MAX_WORK_MS = 60_000
/** Share of its memory limit that an idle process may still occupy. */
const MAX_IDLE_SHARE = 0.65
/** Share of the memory limit that a content may occupy. */
const MAX_CONTENT_SHARE = 0.4
/** Characters of standard error that are retained, to explain why a process ended by itself. */
const MAX_STDERR = 4_000
const MAX_ERROR_LINE = 200

export interface Job extends JobDescription {
  /** Time limit for the work, counted from when the content has been sent. */
  readonly timeoutMs: number
}

/** A content that is opened only when a process is ready to receive it. */
export interface JobContent {
  readonly sizeBytes: number
  read(): Promise<Readable>
}

export class JobChild {
  readonly #process: ChildProcess
  readonly #channel: Socket
  readonly #memoryBytes: number
  readonly #ended = new AbortController()
  /** Why the process has ended, or is about to. */
  #fault: Error | undefined
  #stderrTail = ''
  #workedMs = 0
  #wake = (): void => {}

  /** Throws when no further process can be started. */
  constructor(program: URL, memoryBytes: number, onEnd: (child: JobChild) => void) {
    this.#memoryBytes = memoryBytes
    this.#process = startProcess(program, memoryBytes)
    const end = (reason: string) => {
      this.#fault ??= new JobKilled(
        'ended',
        `the process ended by itself: ${reason} ${errorLineIn(this.#stderrTail)}`.trim(),
      )
      this.#ended.abort()
      onEnd(this)
    }
    // A process that failed to start has no pid and never emits 'exit'.
    this.#process.on('error', ({ message }) => this.#process.pid === undefined && end(message))
    this.#process.once('exit', (code, signal) => end(signal ?? `exit code ${code}`))
    const [, , stderr, channel] = this.#process.stdio ?? []
    if (!stderr || !channel) throw new Error('there are no pipes for another process')
    this.#channel = channel as Socket
    // The job that uses the stream reports the error.
    for (const stream of [stderr, channel]) stream.on('error', () => {})
    for (const event of ['readable', 'drain']) channel.on(event, () => this.#wake())
    this.#ended.signal.addEventListener('abort', () => this.#wake())
    stderr.on('data', (text: Buffer) => {
      this.#stderrTail = (this.#stderrTail + text).slice(-MAX_STDERR)
    })
  }

  /** Resolves when the process is ready for its first job. Throws `JobKilled` when it fails to start. */
  async ready(): Promise<void> {
    await this.#withTimeout(START_MS, this.#answer())
  }

  /** Returns the answer of one job. Throws `JobFailed`, `JobKilled`, or the error of reading the content. */
  async run({ timeoutMs, kind, options }: Job, content?: JobContent): Promise<Uint8Array> {
    const sizeBytes = content?.sizeBytes ?? 0
    if (sizeBytes > this.#memoryBytes * MAX_CONTENT_SHARE) throw new JobFailed(`the content has ${sizeBytes} bytes`)
    const source = await content?.read()
    const startedAt = performance.now()
    const memoryCheck = setInterval(() => this.#checkMemory(), MEMORY_CHECK_MS)
    try {
      const description = Buffer.from(JSON.stringify({ kind, options }))
      this.#channel.write(jobHeader(description.length, sizeBytes))
      this.#channel.write(description)
      if (source) await this.#withTimeout(CONTENT_TIMEOUT_MS, this.#send(source, sizeBytes))
      return await this.#withTimeout(timeoutMs, this.#answer())
    } finally {
      clearInterval(memoryCheck)
      this.#workedMs += performance.now() - startedAt
    }
  }

  /** Whether the process can run another job. One that has worked for long, or occupies much memory, is replaced. */
  get isReusable(): boolean {
    if (this.#fault || this.#channel.readableLength > 0) return false
    const residentIdle = residentBytes(this.#process.pid ?? 0) ?? 0
    return this.#workedMs < MAX_WORK_MS && residentIdle < this.#memoryBytes * MAX_IDLE_SHARE
  }

  /** A busy process keeps the service alive; an idle one does not. */
  keepAlive(isBusy: boolean): void {
    const parts = [this.#process, this.#channel, this.#process.stderr as Socket | null]
    for (const part of parts) isBusy ? part?.ref() : part?.unref()
  }

  kill(reason: KillReason, message: string): void {
    this.#kill(new JobKilled(reason, message))
  }

  /** Kills the process and resolves when it has ended. */
  async end(): Promise<void> {
    const { exitCode, signalCode, pid } = this.#process
    const hasEnded = pid === undefined || exitCode !== null || signalCode !== null
    const ended = hasEnded ? undefined : once(this.#process, 'exit')
    this.keepAlive(true)
    this.kill('ended', 'the process is not needed any more')
    await ended
  }

  /** Sends the content with backpressure. If the content is incomplete, the process waiting for the rest is killed. */
  async #send(source: Readable, sizeBytes: number): Promise<void> {
    let missing = sizeBytes
    try {
      for await (const chunk of addAbortSignal(this.#ended.signal, source) as AsyncIterable<Uint8Array>) {
        missing -= chunk.length
        if (missing < 0) break
        if (!this.#channel.write(chunk)) await this.#channelReady()
      }
      if (missing !== 0) throw new Error(`the content has not the ${sizeBytes} bytes that it should have`)
    } catch (error) {
      this.#kill(error as Error)
      throw error
    }
  }

  async #answer(): Promise<Buffer> {
    const header = await this.#take(ANSWER_HEADER_BYTES)
    const length = header.readUInt32LE(1)
    if (length > MAX_ANSWER_BYTES) this.kill('memory', `the answer would have ${length} bytes`)
    const answer = await this.#take(length)
    if (header.readUInt8() === AnswerKind.failed) throw new JobFailed(answer.toString())
    return answer
  }

  async #take(length: number): Promise<Buffer> {
    if (length === 0) return Buffer.alloc(0)
    for (;;) {
      const bytes = this.#channel.read(length) as Buffer | null
      if (bytes?.length === length) return bytes
      await this.#channelReady()
    }
  }

  /** Resolves when the channel can be read or written again. Throws when the process has ended. */
  async #channelReady(): Promise<void> {
    if (!this.#fault) {
      await new Promise<void>((resume) => {
        this.#wake = resume
      })
    }
    if (this.#fault) throw this.#fault
  }

  /** Runs the work with a time limit. If the process is killed meanwhile, throws the reason. */
  async #withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.kill('time', `not done within ${ms} ms`), ms)
    try {
      return await work
    } catch (error) {
      throw this.#fault ?? error
    } finally {
      clearTimeout(timer)
    }
  }

  #kill(fault: Error): void {
    this.#fault ??= fault
    this.#process.kill('SIGKILL')
    this.#ended.abort()
  }

  #checkMemory(): void {
    const resident = residentBytes(this.#process.pid ?? 0) ?? 0
    if (resident > this.#memoryBytes) this.kill('memory', `${resident} bytes of memory`)
  }
}

/** The error message among the stack traces and statistics of standard error. */
function errorLineIn(stderr: string): string {
  return /^.*(?:Error|FATAL).*$/m.exec(stderr)?.[0].slice(0, MAX_ERROR_LINE) ?? ''
}
