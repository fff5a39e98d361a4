// The pool of reader processes: one query each at a time, killed and replaced at a timeout.

import { availableParallelism } from 'node:os'
import { peekFirst } from '../../../base/byte-stream.ts'
import type { Release } from '../../../base/concurrency/admission-queue.ts'
import { startProgram } from '../../../base/process/start-program.ts'
import { unavailable } from '../../../errors/catalogue.ts'
import { StoreMetrics } from '../../../observe/store-metrics.ts'
import { FrameKind } from '../../../process-pool/frames.ts'
import type { PooledProcess } from '../../../process-pool/pooled-process.ts'
import { ProcessPool } from '../../../process-pool/process-pool.ts'
import type { SqlValue } from '../../../sql/dialect.ts'
import type { ByteStream, QueryCaller, Snapshot } from '../../../store/store.ts'
import { queryAbandoned, queryTooLong } from '../../../store/store-fault.ts'
import { sqliteError, translate } from '../dialect/faults.ts'
import type { Failure, ReaderQuery } from './reader-process.ts'

/**
 * More readers would only share the same cores; at least two, so that one is free while another is busy. One client may
 * use this many.
 */
const MAX_READERS = Math.min(4, Math.max(2, availableParallelism()))
/**
 * Further readers for others: for other clients of a company whose client uses all of these, and for other companies.
 */
const SPARE_READERS = 2
/** As many as there may be requests in flight. */
const MAX_WAITING = 512

/** A running or waiting query. */
interface QueryRun {
  /** Releases the permit; an urgent query has none. */
  release: Release | undefined
  reader?: PooledProcess
  isDone: boolean
  isAbandoned: boolean
  /** The remaining time of the reader for this query. */
  leftMs: number
  /** Known with the first chunk. */
  changeNumber: number
}

/** Time limit for starting a reader: on a busy machine it takes a second. */
const START_MS = 20_000
/** An abandoned answer ends by itself within this time, or its reader is killed. */
const GRACE_MS = 100

export class ReaderPool {
  readonly #timeoutMs: number
  readonly #metrics: StoreMetrics
  readonly #graceMs: number
  readonly #pool: ProcessPool

  /** `args`: the database file, then the attached ones. A query without output for `timeoutMs` is killed. */
  constructor(
    args: readonly string[],
    timeoutMs: number,
    metrics = new StoreMetrics(),
    { idleMs, graceMs = GRACE_MS }: { idleMs?: number; graceMs?: number } = {},
  ) {
    this.#timeoutMs = timeoutMs
    this.#graceMs = graceMs
    this.#metrics = metrics
    const pool = new ProcessPool({
      inFlight: MAX_READERS + SPARE_READERS,
      maxPerGroup: MAX_READERS + 1,
      maxPerMember: MAX_READERS,
      waiting: MAX_WAITING,
      lasting: MAX_READERS,
      idleMs,
      start: () => startProgram('reader-process', import.meta.url, args, ['ignore', 'ignore', 'inherit', 'pipe']),
      ended: readerEnded,
      refusal: () => unavailable('Too many queries are waiting.', 1),
    })
    this.#pool = pool
    metrics.pool = () => ({ used: pool.used, idle: pool.idle, waiting: pool.waiting })
    metrics.queues.add('readers', pool)
    metrics.readerBytes = () => pool.residentBytes
  }

  /**
   * Streams an answer. The first chunk is available when this resolves, so that an error can still become an error
   * response. When the caller is gone, a waiting query is dropped and a running one is soon killed. An urgent query
   * gets an extra reader when all are in use, because its caller may hold one of them.
   */
  async ask(query: ReaderQuery, { flow, onAbandoned }: QueryCaller, isUrgent = false): Promise<Snapshot<ByteStream>> {
    const startedAt = performance.now()
    const run: QueryRun = {
      isDone: false,
      isAbandoned: false,
      leftMs: this.#timeoutMs,
      release: undefined,
      changeNumber: 0,
    }
    let leave = (): void => {}
    onAbandoned(() => {
      this.#abandon(run)
      leave()
    })
    if (run.isAbandoned) throw queryAbandoned()
    if (!isUrgent) {
      run.release = await this.#pool
        .acquire(flow, (stop) => (leave = stop))
        .catch((error) => {
          throw run.isAbandoned ? queryAbandoned() : error
        })
    }
    if (run.isAbandoned) {
      run.release?.()
      throw queryAbandoned()
    }
    const content = await peekFirst(this.#chunks(query, run))
    this.#metrics.addQuery('reader', performance.now() - startedAt)
    return { content, changeNumber: run.changeNumber }
  }

  /** Returns the single value of a query as one buffer. */
  async fetchValue(query: ReaderQuery, caller: QueryCaller, isUrgent?: boolean): Promise<Snapshot<Buffer>> {
    const { content, changeNumber } = await this.ask(query, caller, isUrgent)
    return { content: Buffer.concat(await Array.fromAsync(content)), changeNumber }
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  async *#chunks(query: ReaderQuery, run: QueryRun): ByteStream {
    const reader = this.#takeReader(run)
    const within = <T>(result: Promise<T>): Promise<T> => this.#withDeadline(reader, query, run, result)
    try {
      await within(sendQuery(reader, query))
      // The time of a query does not count while its reader has not started yet.
      await reader.within(START_MS, readerEnded, reader.ready)
      for (;;) {
        const kind = await within(reader.nextFrame())
        if (kind === FrameKind.chunk) {
          while (reader.left > 0) yield await within(reader.readSome())
          continue
        }
        const content = await reader.readBody()
        if (kind === FrameKind.head) {
          run.changeNumber = Number(content)
          continue
        }
        run.isDone = true
        if (kind === FrameKind.failure) throw failureOf(content)
        return Number(content)
      }
    } finally {
      if (run.isDone) this.#pool.giveBack(reader, run.release)
      else this.#drain(reader, run)
    }
  }

  #takeReader(run: QueryRun): PooledProcess {
    try {
      run.reader = this.#pool.take()
      return run.reader
    } catch (error) {
      run.release?.()
      throw error
    }
  }

  #abandon(run: QueryRun): void {
    run.isAbandoned = true
    const { reader } = run
    if (reader && !run.isDone) setTimeout(() => run.isDone || reader.kill(readerEnded()), this.#graceMs).unref()
  }

  /** After an early stop, a reader that finishes soon is reused, because starting another takes longer. */
  async #drain(reader: PooledProcess, run: QueryRun): Promise<void> {
    const rest = async () => {
      await reader.ready
      for (let kind: number = FrameKind.chunk; !isLast(kind); kind = await reader.nextFrame()) {
        while (reader.left > 0) await reader.readSome()
      }
      await reader.readBody()
      run.isDone = true
    }
    // A reader that has ended is replaced on demand.
    await reader.within(this.#graceMs, readerEnded, rest()).catch(() => {})
    this.#pool.giveBack(reader, run.release)
  }

  /** Waits for the reader with a deadline. While a client is slow to read a chunk, the clock does not run. */
  async #withDeadline<T>(
    reader: PooledProcess,
    { isBounded }: ReaderQuery,
    run: QueryRun,
    result: Promise<T>,
  ): Promise<T> {
    const startedAt = performance.now()
    const late = () => {
      this.#metrics.refuse('query-too-long')
      return queryTooLong(this.#timeoutMs)
    }
    try {
      return await reader.within(run.leftMs, late, result)
    } finally {
      if (isBounded) run.leftMs = Math.max(1, run.leftMs - (performance.now() - startedAt))
    }
  }
}

/** Characters of a parameter that is sent as it is, and bytes of it that are sent at once. */
const LONG_TEXT = 64 * 1024
const PART_BYTES = 256 * 1024

async function sendQuery(reader: PooledProcess, query: ReaderQuery): Promise<void> {
  const isLong = (value: SqlValue) => typeof value === 'string' && value.length > LONG_TEXT
  const followed = query.parameters.flatMap((value, place) => (isLong(value) ? place : []))
  const parameters = query.parameters.map((value) => (isLong(value) ? '' : value))
  reader.send(FrameKind.request, Buffer.from(JSON.stringify({ ...query, parameters, followed })))
  for (const place of followed) {
    const bytes = Buffer.from(String(query.parameters[place]))
    reader.sendHeader(FrameKind.request, bytes.length)
    for (let sent = 0; sent < bytes.length; sent += PART_BYTES)
      await reader.sendPart(bytes.subarray(sent, sent + PART_BYTES))
  }
}

function isLast(kind: number): boolean {
  return kind === FrameKind.end || kind === FrameKind.failure
}

function readerEnded(): Error {
  return unavailable('The query was ended with its reader.', 1)
}

function failureOf(content: Buffer): unknown {
  const { errcode, message } = JSON.parse(content.toString()) as Failure
  return errcode === undefined ? new Error(message) : translate(sqliteError(message, errcode))
}
