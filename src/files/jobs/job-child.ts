// One job process as the service sees it: it is given a job and its content, watched while it works, and killed when it
// overruns. Whatever ends it, whoever waits for it is told why.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { addAbortSignal, type Readable } from 'node:stream'
import { ANSWER_HEADER_BYTES, AnswerKind, CHANNEL, type JobDescription, jobHeader } from './frames.ts'
import { JobFailed, JobKilled, type KillReason } from './job-faults.ts'
import { residentBytes } from './resident-memory.ts'
import { startProcess } from './start-process.ts'

/** A larger answer is none of ours. */
const MOST_ANSWER_BYTES = 20 * 1024 * 1024
/** A process that takes longer to start will not start. Loading from source on a busy machine takes a second. */
const START_MS = 20_000
/** For a content to come and be taken: its source may be slow, and may have ended without a word. */
const CONTENT_MS = 60_000
/** How often the memory is looked at: few megabytes more can be filled between two looks than a machine can spare. */
const LOOK_MS = 20
/** After so much work a process is replaced, so that nothing adds up in it. */
const WORKING_LIFE_MS = 60_000
/** Of what it may have, the share that a process may keep between two jobs. */
const KEPT_SHARE = 0.6
/** The end of what it had to say is told with a process that ended by itself. */
const LAST_WORDS = 1_000

export interface Job extends JobDescription {
  /** The time for the work, counted from when the content is there. */
  readonly timeoutMs: number
}

/** A content that is only opened when a process is there to take it. */
export interface JobContent {
  readonly sizeBytes: number
  read(): Promise<Readable>
}

export class JobChild {
  readonly #process: ChildProcess
  readonly #channel: Socket
  readonly #memoryBytes: number
  readonly #gone = new AbortController()
  /** Why it is gone, or is about to be. */
  #fault: Error | undefined
  #lastWords = ''
  #workedMs = 0
  #wake = (): void => {}

  constructor(program: URL, memoryBytes: number, onGone: (child: JobChild) => void) {
    this.#memoryBytes = memoryBytes
    this.#process = startProcess(program, memoryBytes)
    this.#channel = this.#process.stdio[CHANNEL] as Socket
    // Told by the job that needs it.
    for (const stream of [this.#channel, this.#process.stderr]) stream?.on('error', () => {})
    this.#channel.on('readable', () => this.#wake())
    this.#gone.signal.addEventListener('abort', () => this.#wake())
    this.#process.stderr?.on('data', (text: Buffer) => {
      this.#lastWords = (this.#lastWords + text).slice(-LAST_WORDS)
    })
    const leave = (how: string) => {
      this.#fault ??= new JobKilled('ended', `the process ended by itself: ${how} ${this.#lastWords}`.trim())
      this.#gone.abort()
      onGone(this)
    }
    this.#process.once('error', (error) => leave(error.message))
    this.#process.once('exit', (code, signal) => leave(signal ?? `exit code ${code}`))
  }

  /** Resolves when the process can be given its first job. Throws `JobKilled` when there will be none. */
  async ready(): Promise<void> {
    await this.#during(START_MS, this.#answer())
  }

  /** The answer of one job. Throws `JobFailed`, `JobKilled`, or what reading the content has thrown. */
  async do({ timeoutMs, kind, options }: Job, content?: JobContent): Promise<Uint8Array> {
    const source = await content?.read()
    const startedAt = performance.now()
    const look = setInterval(() => this.#look(), LOOK_MS)
    try {
      const description = Buffer.from(JSON.stringify({ kind, options }))
      this.#channel.write(jobHeader(description.length, content?.sizeBytes ?? 0))
      this.#channel.write(description)
      if (source) await this.#during(CONTENT_MS, this.#send(source, content?.sizeBytes ?? 0))
      return await this.#during(timeoutMs, this.#answer())
    } finally {
      clearInterval(look)
      this.#workedMs += performance.now() - startedAt
    }
  }

  /** Whether it can be given another job. One that has worked for long, or keeps much memory, is better replaced. */
  get isFresh(): boolean {
    const kept = residentBytes(this.#process.pid ?? 0) ?? 0
    return !this.isGone && this.#workedMs < WORKING_LIFE_MS && kept < this.#memoryBytes * KEPT_SHARE
  }

  get isGone(): boolean {
    return this.#fault !== undefined
  }

  /** An idle process keeps no program from ending; one that works does. */
  keepAlive(isBusy: boolean): void {
    const parts = [this.#process, this.#channel, this.#process.stderr as Socket | null]
    for (const part of parts) isBusy ? part?.ref() : part?.unref()
  }

  kill(reason: KillReason, message: string): void {
    this.#kill(new JobKilled(reason, message))
  }

  /** Kills it, and resolves when it is gone. */
  async end(): Promise<void> {
    const { exitCode, signalCode, pid } = this.#process
    const isOver = pid === undefined || exitCode !== null || signalCode !== null
    const ended = isOver ? undefined : once(this.#process, 'exit')
    this.keepAlive(true)
    this.kill('ended', 'the process is not needed any more')
    await ended
  }

  /** No faster than it is taken. What breaks off in the middle leaves a process that waits for the rest: it is killed. */
  async #send(source: Readable, sizeBytes: number): Promise<void> {
    let missing = sizeBytes
    try {
      for await (const chunk of addAbortSignal(this.#gone.signal, source) as AsyncIterable<Uint8Array>) {
        missing -= chunk.length
        if (missing < 0) break
        if (!this.#channel.write(chunk)) await once(this.#channel, 'drain', { signal: this.#gone.signal })
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
    if (length > MOST_ANSWER_BYTES) this.kill('memory', `the answer would have ${length} bytes`)
    const answer = await this.#take(length)
    if (header.readUInt8() === AnswerKind.failed) throw new JobFailed(answer.toString())
    return answer
  }

  async #take(length: number): Promise<Buffer> {
    if (length === 0) return Buffer.alloc(0)
    for (;;) {
      if (this.#fault) throw this.#fault
      const bytes = this.#channel.read(length) as Buffer | null
      if (bytes?.length === length) return bytes
      await new Promise<void>((resume) => {
        this.#wake = resume
      })
    }
  }

  /** What the work gives or throws; of a process that was killed meanwhile, why. */
  async #during<T>(ms: number, work: Promise<T>): Promise<T> {
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
    this.#gone.abort()
  }

  #look(): void {
    const resident = residentBytes(this.#process.pid ?? 0) ?? 0
    if (resident > this.#memoryBytes) this.kill('memory', `${resident} bytes of memory`)
  }
}
