// One job process as the service sees it: it is given a job and its content, watched while it works, and killed when it
// overruns. Whatever ends it, whoever waits for it is told why.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { addAbortSignal, type Readable } from 'node:stream'
import { residentBytes } from '../../base/resident-memory.ts'
import { ANSWER_HEADER_BYTES, AnswerKind, type JobDescription, jobHeader } from './frames.ts'
import { JobFailed, JobKilled, type KillReason } from './job-faults.ts'
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
const KEPT_SHARE = 0.65
/** Of the memory, what a content may take that is worked on. */
const CONTENT_SHARE = 0.4
/** The end of what it had to say is told with a process that ended by itself. */
const LAST_WORDS = 4_000
const MOST_COMPLAINT = 200

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

  /** Throws when the machine has no room for another process. */
  constructor(program: URL, memoryBytes: number, onGone: (child: JobChild) => void) {
    this.#memoryBytes = memoryBytes
    this.#process = startProcess(program, memoryBytes)
    const leave = (how: string) => {
      this.#fault ??= new JobKilled(
        'ended',
        `the process ended by itself: ${how} ${complaintIn(this.#lastWords)}`.trim(),
      )
      this.#gone.abort()
      onGone(this)
    }
    // One that was not even started has no number, and never exits.
    this.#process.on('error', ({ message }) => this.#process.pid === undefined && leave(message))
    this.#process.once('exit', (code, signal) => leave(signal ?? `exit code ${code}`))
    const [, , words, channel] = this.#process.stdio ?? []
    if (!words || !channel) throw new Error('there are no pipes for another process')
    this.#channel = channel as Socket
    // Told by the job that needs it.
    for (const stream of [words, channel]) stream.on('error', () => {})
    for (const turn of ['readable', 'drain']) channel.on(turn, () => this.#wake())
    this.#gone.signal.addEventListener('abort', () => this.#wake())
    words.on('data', (text: Buffer) => {
      this.#lastWords = (this.#lastWords + text).slice(-LAST_WORDS)
    })
  }

  /** Resolves when the process can be given its first job. Throws `JobKilled` when there will be none. */
  async ready(): Promise<void> {
    await this.#during(START_MS, this.#answer())
  }

  /** The answer of one job. Throws `JobFailed`, `JobKilled`, or what reading the content has thrown. */
  async do({ timeoutMs, kind, options }: Job, content?: JobContent): Promise<Uint8Array> {
    const sizeBytes = content?.sizeBytes ?? 0
    if (sizeBytes > this.#memoryBytes * CONTENT_SHARE) throw new JobFailed(`the content has ${sizeBytes} bytes`)
    const source = await content?.read()
    const startedAt = performance.now()
    const look = setInterval(() => this.#look(), LOOK_MS)
    try {
      const description = Buffer.from(JSON.stringify({ kind, options }))
      this.#channel.write(jobHeader(description.length, sizeBytes))
      this.#channel.write(description)
      if (source) await this.#during(CONTENT_MS, this.#send(source, sizeBytes))
      return await this.#during(timeoutMs, this.#answer())
    } finally {
      clearInterval(look)
      this.#workedMs += performance.now() - startedAt
    }
  }

  /** Whether it can be given another job. One that has worked for long, or keeps much memory, is better replaced. */
  get isFresh(): boolean {
    if (this.#fault || this.#channel.readableLength > 0) return false
    const kept = residentBytes(this.#process.pid ?? 0) ?? 0
    return this.#workedMs < WORKING_LIFE_MS && kept < this.#memoryBytes * KEPT_SHARE
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

  /** No faster than it is taken. A content that breaks off leaves a process that waits for the rest: it is killed. */
  async #send(source: Readable, sizeBytes: number): Promise<void> {
    let missing = sizeBytes
    try {
      for await (const chunk of addAbortSignal(this.#gone.signal, source) as AsyncIterable<Uint8Array>) {
        missing -= chunk.length
        if (missing < 0) break
        if (!this.#channel.write(chunk)) await this.#turn()
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
      const bytes = this.#channel.read(length) as Buffer | null
      if (bytes?.length === length) return bytes
      await this.#turn()
    }
  }

  /** Resolves when the channel can be read or written again. Throws when the process is gone. */
  async #turn(): Promise<void> {
    if (!this.#fault) {
      await new Promise<void>((resume) => {
        this.#wake = resume
      })
    }
    if (this.#fault) throw this.#fault
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

/** The line that says what is wrong, among stacks and figures. */
function complaintIn(words: string): string {
  return /^.*(?:Error|FATAL).*$/m.exec(words)?.[0].slice(0, MOST_COMPLAINT) ?? ''
}
