// One process of a pool, as the service sees it. Frames are exchanged with backpressure: what is not read stays in the
// pipe and blocks the process. However the process ends, whoever waits for it gets the reason.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { processorMs, residentBytes } from '../base/process/program-version.ts'
import { CHANNEL, HEADER_BYTES, headerOf } from './frames.ts'

/** The maximum amount of unread data in this process. */
const BUFFERED_BYTES = 256 * 1024
/** Characters of standard error that are retained, to explain why a process ended by itself. */
const MAX_STDERR = 4_000
const MAX_ERROR_LINE = 200
/** By a terminal, whoever stops the service, or a system that is short of memory: no process does that to itself. */
const STOPPING: ReadonlySet<unknown> = new Set(['SIGHUP', 'SIGINT', 'SIGKILL', 'SIGQUIT', 'SIGTERM'])

/** Makes the error for whoever waits for a process that has ended. `isFromOutside`: its work is not the reason. */
export type EndedFault = (reason: string, isFromOutside: boolean) => Error

export class PooledProcess {
  readonly #child: ChildProcess
  readonly #channel: Socket
  readonly #gone = new AbortController()
  #chunks: Buffer[] = []
  #buffered = 0
  /** The bytes of the current frame that have not been read. */
  #left = 0
  /** Why the process has ended, or is about to. */
  #fault: Error | undefined
  #stderrTail = ''
  #ready: Promise<unknown> | undefined
  /** Those who wait for the channel: one may read while another one writes. */
  readonly #waiting = new Set<() => void>()

  constructor(child: ChildProcess, ended: EndedFault, onExit: () => void) {
    this.#child = child
    const end = (reason: string, isFromOutside: boolean) =>
      this.#end(ended(`the process ended by itself: ${reason} ${errorLineIn(this.#stderrTail)}`.trim(), isFromOutside))
    // A process that failed to start has no pid and never emits 'exit'.
    child.on('error', ({ message }) => {
      if (child.pid !== undefined) return
      end(message, true)
      onExit()
    })
    child.once('exit', onExit)
    // By then everything that it wrote has arrived.
    child.once('close', (code, signal) => end(signal ?? `exit code ${code}`, STOPPING.has(signal)))
    const { stderr } = child
    const channel = child.stdio?.[CHANNEL]
    if (!channel) throw new Error('there are no pipes for another process')
    this.#channel = channel as Socket
    // Whoever waits for the process reports the error.
    for (const stream of [stderr, channel]) stream?.on('error', () => {})
    stderr?.on('data', (text: Buffer) => {
      this.#stderrTail = (this.#stderrTail + text).slice(-MAX_STDERR)
    })
    channel.on('drain', () => this.#wake())
    channel.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk)
      this.#buffered += chunk.length
      if (this.#buffered >= BUFFERED_BYTES) this.#channel.pause()
      this.#wake()
    })
  }

  /** Aborted when the process has ended, or is about to. */
  get gone(): AbortSignal {
    return this.#gone.signal
  }

  /** Whether the process can serve another request. */
  get isReusable(): boolean {
    return !this.#fault && !this.#hasExited && this.#left + this.#buffered === 0
  }

  get residentBytes(): number {
    return residentBytes(this.#child.pid ?? 0) ?? 0
  }

  /** The processor time that it has taken so far; undefined on a system that does not tell it. */
  get processorMs(): number | undefined {
    return processorMs(this.#child.pid ?? 0)
  }

  /** The bytes of the current frame that have not been read. */
  get left(): number {
    return this.#left
  }

  send(kind: number, body: Uint8Array): void {
    this.sendHeader(kind, body.length)
    this.#channel.write(body)
  }

  /** Announces a frame whose body follows by `sendPart`: what is sent in the same turn goes with it, as one. */
  sendHeader(kind: number, length: number): void {
    this.#channel.cork()
    process.nextTick(() => this.#channel.uncork())
    this.#channel.write(headerOf(kind, length))
  }

  /** Resolves when more may be sent. */
  async sendPart(part: Uint8Array): Promise<void> {
    this.#channel.write(part)
    while (this.#channel.writableNeedDrain) await this.#changed()
  }

  /** Resolves when the process has reported that it is ready: its first frame. */
  get ready(): Promise<unknown> {
    this.#ready ??= this.nextFrame()
    return this.#ready
  }

  /** Begins to read the next frame; returns its kind. */
  async nextFrame(): Promise<number> {
    const header = await this.#readExactly(HEADER_BYTES)
    this.#left = header.readUInt32LE()
    return header.readUInt8(4)
  }

  /** Reads some of the current frame as it arrived, so that a large one is not reassembled. */
  async readSome(): Promise<Buffer> {
    const part = await this.#take(this.#left)
    this.#left -= part.length
    return part
  }

  /** Reads the rest of the current frame. */
  async readBody(): Promise<Buffer> {
    const body = await this.#readExactly(this.#left)
    this.#left = 0
    return body
  }

  /** Kills the process if the work with it takes longer. */
  async within<T>(ms: number, late: () => Error, work: Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.kill(late()), ms)
    try {
      return await work
    } catch (error) {
      throw this.#fault ?? error
    } finally {
      clearTimeout(timer)
    }
  }

  /** A busy process keeps the service alive; an idle one does not. */
  keepAlive(isBusy: boolean): void {
    const parts = [this.#child, this.#channel, this.#child.stderr as Socket | null]
    for (const part of parts) isBusy ? part?.ref() : part?.unref()
  }

  /** Whoever waits for the process gets this error at once. */
  kill(fault: Error): void {
    this.#child.kill('SIGKILL')
    // Unread data would keep the channel open.
    this.#channel.destroy()
    this.#end(fault)
  }

  /** Kills the process and resolves when it has ended. */
  async end(fault: Error): Promise<void> {
    const exit = this.#hasExited ? undefined : once(this.#child, 'exit')
    this.keepAlive(true)
    this.kill(fault)
    await exit
  }

  get #hasExited(): boolean {
    const { exitCode, signalCode, pid } = this.#child
    return pid === undefined || exitCode !== null || signalCode !== null
  }

  #end(fault: Error): void {
    this.#fault ??= fault
    this.#gone.abort()
    this.#wake()
  }

  async #readExactly(length: number): Promise<Buffer> {
    const parts: Buffer[] = []
    for (let missing = length; missing > 0; missing -= parts.at(-1)?.length ?? 0) parts.push(await this.#take(missing))
    const [only] = parts
    return parts.length === 1 && only ? only : Buffer.concat(parts, length)
  }

  /** Takes between one and `most` bytes, as they arrived. */
  async #take(most: number): Promise<Buffer> {
    while (this.#buffered === 0) {
      this.#channel.resume()
      await this.#changed()
    }
    const first = this.#chunks.shift() as Buffer
    const taken = first.subarray(0, most)
    if (first.length > most) this.#chunks.unshift(first.subarray(most))
    this.#buffered -= taken.length
    return taken
  }

  /** Resolves when the channel may be read or written again. Throws when the process has ended. */
  async #changed(): Promise<void> {
    if (!this.#fault) {
      await new Promise<void>((resume) => {
        this.#waiting.add(resume)
      })
    }
    if (this.#fault) throw this.#fault
  }

  #wake(): void {
    const all = [...this.#waiting]
    this.#waiting.clear()
    for (const resume of all) resume()
  }
}

/** The error message among the stack traces and statistics of standard error. */
function errorLineIn(stderr: string): string {
  return /^.*(?:Error|FATAL).*$/m.exec(stderr)?.[0].slice(0, MAX_ERROR_LINE) ?? ''
}
