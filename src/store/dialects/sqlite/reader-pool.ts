// The reader processes: started when first needed, one question each at a time, ended and replaced when one overruns.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { availableParallelism } from 'node:os'
import { residentBytes } from '../../../base/resident-memory.ts'
import { unavailable } from '../../../errors/catalogue.ts'
import { StoreFigures } from '../../../observe/figures.ts'
import { begun } from '../../pieces.ts'
import type { Pieces } from '../../store.ts'
import { abandoned, queryTooLong } from '../../store-fault.ts'
import { sqliteError, translate } from './faults.ts'
import { FrameReader } from './frame-reader.ts'
import { CHANNEL, type Failure, headerOf, Kind, type Question } from './frames.ts'
import { startProgram } from './start-program.ts'

/** More would only share the same cores; one must be left while another is busy. */
const MOST_READERS = Math.min(4, Math.max(2, availableParallelism()))
/** Beyond this many waiting queries a client is better served by trying again. */
const MAX_WAITING = 64

interface Reader {
  readonly process: ChildProcess
  readonly channel: Socket
  readonly frames: FrameReader
}

/** One question on its way. */
interface Work {
  reader?: Reader
  isDone: boolean
  isAbandoned: boolean
  /** Bytes of the piece at hand that have not come yet. */
  missing: number
}

interface Waiting {
  readonly work: Work
  readonly take: (reader: Reader) => void
  readonly drop: (reason: Error) => void
}

/** A process that nobody needs is given back to the machine. */
const IDLE_MS = 60_000

/** An answer that nobody takes any more ends by itself within this time, or its reader is ended. */
const GRACE_MS = 100

export class ReaderPool {
  readonly #args: readonly string[]
  readonly #timeoutMs: number
  readonly #figures: StoreFigures
  readonly #idleMs: number
  /** The one that was used last is taken first, so that the others can end. */
  readonly #idle = new Map<Reader, NodeJS.Timeout>()
  readonly #all = new Set<Reader>()
  #waiting: Waiting[] = []
  #isClosed = false

  /** `args`: the database file, and what is attached to it. A query that gives nothing for `timeoutMs` is ended. */
  constructor(args: readonly string[], timeoutMs: number, figures = new StoreFigures(), idleMs = IDLE_MS) {
    this.#args = args
    this.#timeoutMs = timeoutMs
    this.#idleMs = idleMs
    this.#figures = figures
    figures.pool = () => {
      const idle = this.#idle.size
      return { used: this.#all.size - idle, idle, waiting: this.#waiting.length }
    }
    figures.readerBytes = () =>
      [...this.#all].reduce((sum, { process: { pid } }) => sum + ((pid && residentBytes(pid)) || 0), 0)
  }

  /**
   * The pieces of an answer. Its first piece is there when this resolves, so that a refusal still can be one. When
   * nobody waits any more, what waits for a reader is dropped, and what has one is soon ended.
   */
  async ask(question: Question, onAbandoned: (stop: () => void) => void = () => {}, isUrgent = false): Promise<Pieces> {
    const askedAt = performance.now()
    const work: Work = { isDone: false, isAbandoned: false, missing: 0 }
    onAbandoned(() => this.#abandon(work))
    const reader = await this.#acquire(work, isUrgent)
    if (work.isAbandoned) {
      this.#release(reader)
      throw abandoned()
    }
    work.reader = reader
    const pieces = await begun(this.#pieces(reader, question, work))
    this.#figures.queries.reader.add(performance.now() - askedAt)
    return pieces
  }

  /** The one value of a question that has one. */
  async whole(question: Question, onAbandoned?: (stop: () => void) => void, isUrgent?: boolean): Promise<Buffer> {
    const parts: Uint8Array[] = []
    for await (const part of await this.ask(question, onAbandoned, isUrgent)) parts.push(part)
    return Buffer.concat(parts)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const ended = [...this.#all].map((reader) => once(reader.process, 'exit'))
    for (const reader of this.#all) {
      keepAlive(reader, true)
      reader.process.kill('SIGKILL')
    }
    await Promise.all(ended)
  }

  async *#pieces(reader: Reader, question: Question, work: Work): Pieces {
    keepAlive(reader, true)
    try {
      const body = Buffer.from(JSON.stringify(question))
      reader.channel.write(headerOf(Kind.question, body.length))
      reader.channel.write(body)
      for (;;) {
        const { kind, length } = await this.#withDeadline(reader, reader.frames.head())
        if (kind === Kind.piece) {
          work.missing = length
          yield* this.#contentOf(reader, work)
          continue
        }
        const content = await reader.frames.whole(length)
        work.isDone = true
        if (kind === Kind.failure) throw failureOf(content)
        return Number(content)
      }
    } finally {
      if (work.isDone) this.#release(reader)
      else this.#leave(reader, work)
    }
  }

  /** Given on as it comes: a large answer is not put together again. */
  async *#contentOf(reader: Reader, work: Work): AsyncGenerator<Uint8Array, void, void> {
    while (work.missing > 0) {
      const part = await this.#withDeadline(reader, reader.frames.some(work.missing))
      work.missing -= part.length
      yield part
    }
  }

  #abandon(work: Work): void {
    work.isAbandoned = true
    const waiting = this.#waiting.find((one) => one.work === work)
    if (waiting) {
      this.#waiting = this.#waiting.filter((one) => one !== waiting)
      waiting.drop(abandoned())
    } else if (work.reader && !work.isDone) {
      const { process } = work.reader
      setTimeout(() => work.isDone || process.kill('SIGKILL'), GRACE_MS).unref()
    }
  }

  /** Left in the middle of an answer, a reader that is soon done is kept: starting another takes longer. */
  async #leave(reader: Reader, work: Work): Promise<void> {
    const timer = setTimeout(() => reader.process.kill('SIGKILL'), GRACE_MS)
    try {
      for (;;) {
        while (work.missing > 0) work.missing -= (await reader.frames.some(work.missing)).length
        const { kind, length } = await reader.frames.head()
        work.missing = length
        if (kind === Kind.piece) continue
        await reader.frames.whole(length)
        work.isDone = true
        this.#release(reader)
        return
      }
    } catch {
      // It has ended, and is replaced when it is needed.
    } finally {
      clearTimeout(timer)
    }
  }

  /** The time in which the reader works for us; while a client is slow to take a piece, it does not run. */
  async #withDeadline<T>(reader: Reader, work: Promise<T>): Promise<T> {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      reader.process.kill('SIGKILL')
    }, this.#timeoutMs)
    try {
      return await work
    } catch (error) {
      if (isLate) this.#figures.refuse('query-too-long')
      throw isLate ? queryTooLong(this.#timeoutMs) : error
    } finally {
      clearTimeout(timer)
    }
  }

  /** An urgent question gets a reader of its own where all are taken: who asks it may hold one of them. */
  #acquire(work: Work, isUrgent: boolean): Promise<Reader> {
    if (this.#isClosed) return Promise.reject(unavailable('The service is stopping.'))
    const idle = [...this.#idle.keys()].at(-1)
    if (idle) return Promise.resolve(this.#wake(idle))
    if (isUrgent || this.#all.size < MOST_READERS) return Promise.resolve(this.#start())
    if (this.#waiting.length >= MAX_WAITING) {
      this.#figures.refuse('queries-waiting')
      return Promise.reject(unavailable('Too many queries are waiting.', 1))
    }
    return new Promise((take, drop) => this.#waiting.push({ work, take, drop }))
  }

  #release(reader: Reader): void {
    if (this.#all.size > MOST_READERS) {
      reader.process.kill('SIGKILL')
      return
    }
    const next = this.#waiting.shift()
    if (next) {
      next.take(reader)
      return
    }
    keepAlive(reader, false)
    const endIdle = () => {
      this.#idle.delete(reader)
      reader.process.kill('SIGKILL')
    }
    this.#idle.set(reader, setTimeout(endIdle, this.#idleMs).unref())
  }

  #wake(reader: Reader): Reader {
    clearTimeout(this.#idle.get(reader))
    this.#idle.delete(reader)
    return reader
  }

  #start(): Reader {
    const stdio = ['ignore', 'ignore', 'inherit', 'pipe'] as const
    const child = startProgram(new URL(import.meta.url), 'reader-process', this.#args, [...stdio])
    const channel = child.stdio[CHANNEL] as Socket
    const reader: Reader = { process: child, channel, frames: new FrameReader(channel) }
    // Told by the question that needs it.
    reader.channel.on('error', () => {})
    child.on('error', () => {})
    this.#all.add(reader)
    child.once('exit', () => this.#forget(reader))
    return reader
  }

  #forget(reader: Reader): void {
    this.#all.delete(reader)
    this.#wake(reader)
    if (this.#isClosed || this.#all.size >= MOST_READERS) return
    const next = this.#waiting.shift()
    if (next) next.take(this.#start())
  }
}

/** An idle reader keeps no program from ending; one that works does. */
function keepAlive({ process, channel }: Reader, isBusy: boolean): void {
  if (isBusy) {
    process.ref()
    channel.ref()
  } else {
    process.unref()
    channel.unref()
  }
}

function failureOf(content: Buffer): unknown {
  const { errcode, message } = JSON.parse(content.toString()) as Failure
  return errcode === undefined ? new Error(message) : translate(sqliteError(message, errcode))
}
