// The reader processes: started when first needed, one question each at a time, ended and replaced when one overruns.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { availableParallelism } from 'node:os'
import { peekFirst } from '../../../../base/byte-stream.ts'
import type { Flow } from '../../../../base/concurrency/fair-queue.ts'
import { FairSemaphore, type OnAbandoned, type Release } from '../../../../base/concurrency/fair-semaphore.ts'
import { residentBytes } from '../../../../base/process/resident-memory.ts'
import { unavailable } from '../../../../errors/catalogue.ts'
import { StoreMetrics } from '../../../../observe/figures.ts'
import type { Asker, ByteStream } from '../../../store.ts'
import { abandoned, queryTooLong } from '../../../store-fault.ts'
import { sqliteError, translate } from '../faults.ts'
import { FrameReader } from './frame-reader.ts'
import { CHANNEL, type Failure, headerOf, Kind, type ReaderQuery } from './frames.ts'
import { startProgram } from './start-program.ts'

/** More would only share the same cores; one must be left while another is busy. As many as one client may have. */
const MOST_READERS = Math.min(4, Math.max(2, availableParallelism()))
/** Further ones for others: of a company whose client has all of these, and of another company. */
const SPARE_READERS = 2
/** Beyond this many waiting queries a client is better served by trying again. */
const MAX_WAITING = 64

interface Reader {
  readonly process: ChildProcess
  readonly channel: Socket
  readonly frames: FrameReader
}

/** One question on its way. */
interface Work {
  /** Gives its place to the next one; an urgent question has none. */
  release: Release | undefined
  reader?: Reader
  isDone: boolean
  isAbandoned: boolean
  /** How long the reader may still work for it. */
  leftMs: number
  /** Bytes of the piece at hand that have not come yet. */
  missing: number
}

/** A process that nobody needs is given back to the machine. */
const IDLE_MS = 60_000

/** An answer that nobody takes any more ends by itself within this time, or its reader is ended. */
const GRACE_MS = 100

export class ReaderPool {
  readonly #args: readonly string[]
  readonly #timeoutMs: number
  readonly #figures: StoreMetrics
  readonly #graceMs: number
  readonly #idleMs: number
  readonly #idle = new Map<Reader, NodeJS.Timeout>()
  readonly #all = new Set<Reader>()
  readonly #places = new FairSemaphore({
    permits: MOST_READERS + SPARE_READERS,
    maxPerGroup: MOST_READERS + 1,
    maxPerMember: MOST_READERS,
    maxWaiting: MAX_WAITING,
    rejection: () => unavailable('Too many queries are waiting.', 1),
  })
  #isClosed = false

  /** `args`: the database file, and what is attached to it. A query that gives nothing for `timeoutMs` is ended. */
  constructor(
    args: readonly string[],
    timeoutMs: number,
    figures = new StoreMetrics(),
    { idleMs = IDLE_MS, graceMs = GRACE_MS } = {},
  ) {
    this.#args = args
    this.#timeoutMs = timeoutMs
    this.#idleMs = idleMs
    this.#graceMs = graceMs
    this.#figures = figures
    figures.pool = () => {
      const idle = this.#idle.size
      return { used: this.#all.size - idle, idle, waiting: this.#places.waiting }
    }
    figures.readerBytes = () =>
      [...this.#all].reduce((sum, { process: { pid } }) => sum + ((pid && residentBytes(pid)) || 0), 0)
  }

  /**
   * The pieces of an answer. Its first piece is there when this resolves, so that a refusal still can be one. When
   * nobody waits any more, what waits for a reader is dropped, and what has one is soon ended. An urgent question gets
   * a reader of its own where all are taken: who asks it may hold one of them.
   */
  async ask(question: ReaderQuery, { flow, onAbandoned }: Asker, isUrgent = false): Promise<ByteStream> {
    const askedAt = performance.now()
    const work: Work = { isDone: false, isAbandoned: false, missing: 0, leftMs: this.#timeoutMs, release: undefined }
    let leave = (): void => {}
    onAbandoned(() => {
      this.#abandon(work)
      leave()
    })
    if (work.isAbandoned) throw abandoned()
    if (!isUrgent) work.release = await this.#acquire(flow, work, (stop) => (leave = stop))
    if (work.isAbandoned) {
      work.release?.()
      throw abandoned()
    }
    const reader = this.#wake() ?? this.#start()
    work.reader = reader
    const pieces = await peekFirst(this.#pieces(reader, question, work))
    this.#figures.queries.reader.add(performance.now() - askedAt)
    return pieces
  }

  /** The one value of a question that has one. */
  async whole(question: ReaderQuery, asker: Asker, isUrgent?: boolean): Promise<Buffer> {
    const parts: Uint8Array[] = []
    for await (const part of await this.ask(question, asker, isUrgent)) parts.push(part)
    return Buffer.concat(parts)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#places.close(unavailable('The service is stopping.'))
    const ended = [...this.#all].map((reader) => once(reader.process, 'exit'))
    for (const reader of this.#all) {
      keepAlive(reader, true)
      reader.process.kill('SIGKILL')
    }
    await Promise.all(ended)
  }

  async *#pieces(reader: Reader, question: ReaderQuery, work: Work): ByteStream {
    keepAlive(reader, true)
    try {
      const body = Buffer.from(JSON.stringify(question))
      reader.channel.write(headerOf(Kind.question, body.length))
      reader.channel.write(body)
      for (;;) {
        const { kind, length } = await this.#withDeadline(reader, question, work, reader.frames.head())
        if (kind === Kind.piece) {
          work.missing = length
          yield* this.#contentOf(reader, question, work)
          continue
        }
        const content = await reader.frames.whole(length)
        work.isDone = true
        if (kind === Kind.failure) throw failureOf(content)
        return Number(content)
      }
    } finally {
      if (work.isDone) this.#release(reader, work)
      else this.#leave(reader, work)
    }
  }

  /** Given on as it comes: a large answer is not put together again. */
  async *#contentOf(reader: Reader, question: ReaderQuery, work: Work): AsyncGenerator<Uint8Array, void, void> {
    while (work.missing > 0) {
      const part = await this.#withDeadline(reader, question, work, reader.frames.some(work.missing))
      work.missing -= part.length
      yield part
    }
  }

  #abandon(work: Work): void {
    work.isAbandoned = true
    if (work.reader && !work.isDone) {
      const { process } = work.reader
      setTimeout(() => work.isDone || process.kill('SIGKILL'), this.#graceMs).unref()
    }
  }

  /** Left in the middle of an answer, a reader that is soon done is kept: starting another takes longer. */
  async #leave(reader: Reader, work: Work): Promise<void> {
    const timer = setTimeout(() => reader.process.kill('SIGKILL'), this.#graceMs)
    try {
      for (;;) {
        while (work.missing > 0) work.missing -= (await reader.frames.some(work.missing)).length
        const { kind, length } = await reader.frames.head()
        work.missing = length
        if (kind === Kind.piece) continue
        await reader.frames.whole(length)
        work.isDone = true
        this.#release(reader, work)
        return
      }
    } catch {
      // It has ended, and is replaced when it is needed.
      work.release?.()
    } finally {
      clearTimeout(timer)
    }
  }

  /** The time in which the reader works for us; while a client is slow to take a piece, it does not run. */
  async #withDeadline<T>(reader: Reader, { isBounded }: ReaderQuery, work: Work, result: Promise<T>): Promise<T> {
    const startedAt = performance.now()
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      reader.process.kill('SIGKILL')
    }, work.leftMs)
    try {
      return await result
    } catch (error) {
      if (isLate) this.#figures.refuse('query-too-long')
      throw isLate ? queryTooLong(this.#timeoutMs) : error
    } finally {
      clearTimeout(timer)
      if (isBounded) work.leftMs = Math.max(1, work.leftMs - (performance.now() - startedAt))
    }
  }

  async #acquire(flow: Flow, work: Work, onAbandoned: OnAbandoned): Promise<Release> {
    try {
      return await this.#places.acquire(flow, 1, onAbandoned)
    } catch (error) {
      if (work.isAbandoned) throw abandoned()
      if (!this.#isClosed) this.#figures.refuse('queries-waiting')
      throw error
    }
  }

  #release(reader: Reader, { release }: Work): void {
    if (this.#all.size > MOST_READERS && (!release || this.#places.waiting === 0)) {
      reader.process.kill('SIGKILL')
    } else {
      keepAlive(reader, false)
      const endIdle = () => {
        this.#idle.delete(reader)
        reader.process.kill('SIGKILL')
      }
      this.#idle.set(reader, setTimeout(endIdle, this.#idleMs).unref())
    }
    release?.()
  }

  /** The one that was used last, so that the others can end. */
  #wake(): Reader | undefined {
    const reader = [...this.#idle.keys()].at(-1)
    if (reader) this.#forgetIdle(reader)
    return reader
  }

  #forgetIdle(reader: Reader): void {
    clearTimeout(this.#idle.get(reader))
    this.#idle.delete(reader)
  }

  #start(): Reader {
    const stdio = ['ignore', 'ignore', 'inherit', 'pipe'] as const
    const child = startProgram('reader-process', this.#args, [...stdio])
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
    this.#forgetIdle(reader)
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
