// The pool of reader processes: started on demand, one query each at a time, killed and replaced at a timeout.
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
import type { ByteStream, QueryCaller } from '../../../store.ts'
import { queryAbandoned, queryTooLong } from '../../../store-fault.ts'
import { sqliteError, translate } from '../faults.ts'
import { FrameReader } from './frame-reader.ts'
import { CHANNEL, type Failure, headerOf, Kind, type ReaderQuery } from './frames.ts'
import { startProgram } from './start-program.ts'

/**
 * More readers would only share the same cores; at least two, so that one is free while another is busy. One client may
 * use this many.
 */
const MAX_READERS = Math.min(4, Math.max(2, availableParallelism()))
/**
 * Further readers for others: for other clients of a company whose client uses all of these, and for other companies.
 */
const SPARE_READERS = 2
/** Beyond this number of waiting queries a client is better served by retrying. */
const MAX_WAITING = 64

interface Reader {
  readonly process: ChildProcess
  readonly channel: Socket
  readonly frames: FrameReader
}

/** A running or waiting query. */
interface QueryRun {
  /** Releases the permit; an urgent query has none. */
  release: Release | undefined
  reader?: Reader
  isDone: boolean
  isAbandoned: boolean
  /** The remaining time of the reader for this query. */
  leftMs: number
  /** The missing bytes of the current chunk. */
  missing: number
}

/** An idle reader is ended after this time. */
const IDLE_MS = 60_000

/** An abandoned answer ends by itself within this time, or its reader is killed. */
const GRACE_MS = 100

export class ReaderPool {
  readonly #args: readonly string[]
  readonly #timeoutMs: number
  readonly #metrics: StoreMetrics
  readonly #graceMs: number
  readonly #idleMs: number
  readonly #idle = new Map<Reader, NodeJS.Timeout>()
  readonly #all = new Set<Reader>()
  readonly #permits = new FairSemaphore({
    permits: MAX_READERS + SPARE_READERS,
    maxPerGroup: MAX_READERS + 1,
    maxPerMember: MAX_READERS,
    maxWaiting: MAX_WAITING,
    rejection: () => unavailable('Too many queries are waiting.', 1),
  })
  #isClosed = false

  /** `args`: the database file, then the attached ones. A query without output for `timeoutMs` is killed. */
  constructor(
    args: readonly string[],
    timeoutMs: number,
    metrics = new StoreMetrics(),
    { idleMs = IDLE_MS, graceMs = GRACE_MS } = {},
  ) {
    this.#args = args
    this.#timeoutMs = timeoutMs
    this.#idleMs = idleMs
    this.#graceMs = graceMs
    this.#metrics = metrics
    metrics.pool = () => {
      const idle = this.#idle.size
      return { used: this.#all.size - idle, idle, waiting: this.#permits.waiting }
    }
    metrics.readerBytes = () =>
      [...this.#all].reduce((sum, { process: { pid } }) => sum + ((pid && residentBytes(pid)) || 0), 0)
  }

  /**
   * Streams an answer. The first chunk is available when this resolves, so that an error can still become an error
   * response. When the caller is gone, a waiting query is dropped and a running one is soon killed. An urgent query
   * gets an extra reader when all are in use, because its caller may hold one of them.
   */
  async ask(query: ReaderQuery, { flow, onAbandoned }: QueryCaller, isUrgent = false): Promise<ByteStream> {
    const startedAt = performance.now()
    const run: QueryRun = { isDone: false, isAbandoned: false, missing: 0, leftMs: this.#timeoutMs, release: undefined }
    let leave = (): void => {}
    onAbandoned(() => {
      this.#abandon(run)
      leave()
    })
    if (run.isAbandoned) throw queryAbandoned()
    if (!isUrgent) run.release = await this.#acquire(flow, run, (stop) => (leave = stop))
    if (run.isAbandoned) {
      run.release?.()
      throw queryAbandoned()
    }
    const reader = this.#takeIdle() ?? this.#start()
    run.reader = reader
    const chunks = await peekFirst(this.#chunks(reader, query, run))
    this.#metrics.queries.reader.add(performance.now() - startedAt)
    return chunks
  }

  /** Returns the single value of a query as one buffer. */
  async fetchValue(query: ReaderQuery, caller: QueryCaller, isUrgent?: boolean): Promise<Buffer> {
    const parts: Uint8Array[] = []
    for await (const part of await this.ask(query, caller, isUrgent)) parts.push(part)
    return Buffer.concat(parts)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#permits.close(unavailable('The service is stopping.'))
    const ended = [...this.#all].map((reader) => once(reader.process, 'exit'))
    for (const reader of this.#all) {
      keepAlive(reader, true)
      reader.process.kill('SIGKILL')
    }
    await Promise.all(ended)
  }

  async *#chunks(reader: Reader, query: ReaderQuery, run: QueryRun): ByteStream {
    keepAlive(reader, true)
    try {
      const body = Buffer.from(JSON.stringify(query))
      reader.channel.write(headerOf(Kind.query, body.length))
      reader.channel.write(body)
      for (;;) {
        const { kind, length } = await this.#withDeadline(reader, query, run, reader.frames.readHeader())
        if (kind === Kind.chunk) {
          run.missing = length
          yield* this.#contentOf(reader, query, run)
          continue
        }
        const content = await reader.frames.readExactly(length)
        run.isDone = true
        if (kind === Kind.failure) throw failureOf(content)
        return Number(content)
      }
    } finally {
      if (run.isDone) this.#release(reader, run)
      else this.#drain(reader, run)
    }
  }

  /** Yields content as it arrives: a large answer is not reassembled. */
  async *#contentOf(reader: Reader, query: ReaderQuery, run: QueryRun): AsyncGenerator<Uint8Array, void, void> {
    while (run.missing > 0) {
      const part = await this.#withDeadline(reader, query, run, reader.frames.readSome(run.missing))
      run.missing -= part.length
      yield part
    }
  }

  #abandon(run: QueryRun): void {
    run.isAbandoned = true
    if (run.reader && !run.isDone) {
      const { process } = run.reader
      setTimeout(() => run.isDone || process.kill('SIGKILL'), this.#graceMs).unref()
    }
  }

  /** After an early stop, a reader that finishes soon is reused, because starting another takes longer. */
  async #drain(reader: Reader, run: QueryRun): Promise<void> {
    const timer = setTimeout(() => reader.process.kill('SIGKILL'), this.#graceMs)
    try {
      for (;;) {
        while (run.missing > 0) run.missing -= (await reader.frames.readSome(run.missing)).length
        const { kind, length } = await reader.frames.readHeader()
        run.missing = length
        if (kind === Kind.chunk) continue
        await reader.frames.readExactly(length)
        run.isDone = true
        this.#release(reader, run)
        return
      }
    } catch {
      // The reader has ended; another is started on demand.
      run.release?.()
    } finally {
      clearTimeout(timer)
    }
  }

  /** Waits for the reader with a deadline. While a client is slow to read a chunk, the clock does not run. */
  async #withDeadline<T>(reader: Reader, { isBounded }: ReaderQuery, run: QueryRun, result: Promise<T>): Promise<T> {
    const startedAt = performance.now()
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      reader.process.kill('SIGKILL')
    }, run.leftMs)
    try {
      return await result
    } catch (error) {
      if (isLate) this.#metrics.refuse('query-too-long')
      throw isLate ? queryTooLong(this.#timeoutMs) : error
    } finally {
      clearTimeout(timer)
      if (isBounded) run.leftMs = Math.max(1, run.leftMs - (performance.now() - startedAt))
    }
  }

  async #acquire(flow: Flow, run: QueryRun, onAbandoned: OnAbandoned): Promise<Release> {
    try {
      return await this.#permits.acquire(flow, 1, onAbandoned)
    } catch (error) {
      if (run.isAbandoned) throw queryAbandoned()
      if (!this.#isClosed) this.#metrics.refuse('queries-waiting')
      throw error
    }
  }

  #release(reader: Reader, { release }: QueryRun): void {
    if (this.#all.size > MAX_READERS && (!release || this.#permits.waiting === 0)) {
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

  /** Takes the most recently used reader, so that the others can time out. */
  #takeIdle(): Reader | undefined {
    const reader = [...this.#idle.keys()].at(-1)
    if (reader) this.#removeIdle(reader)
    return reader
  }

  #removeIdle(reader: Reader): void {
    clearTimeout(this.#idle.get(reader))
    this.#idle.delete(reader)
  }

  #start(): Reader {
    const stdio = ['ignore', 'ignore', 'inherit', 'pipe'] as const
    const child = startProgram('reader-process', this.#args, [...stdio])
    const channel = child.stdio[CHANNEL] as Socket
    const reader: Reader = { process: child, channel, frames: new FrameReader(channel) }
    // Reported by the query that is waiting on this process.
    reader.channel.on('error', () => {})
    child.on('error', () => {})
    this.#all.add(reader)
    child.once('exit', () => this.#remove(reader))
    return reader
  }

  #remove(reader: Reader): void {
    this.#all.delete(reader)
    this.#removeIdle(reader)
  }
}

/** An idle reader does not keep the program alive; a busy one does. */
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
