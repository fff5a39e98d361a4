// Parquet files of answers, written in processes that can be killed: encoding a million rows takes seconds, in which
// the service's thread must answer others. The rows of a query are sent on as they come.

import { peekFirst } from '../base/byte-stream.ts'
import type { Release } from '../base/concurrency/admission-queue.ts'
import type { QueueFigures } from '../base/concurrency/waiting-queue.ts'
import { startProgram } from '../base/process/start-program.ts'
import { unavailable } from '../errors/catalogue.ts'
import { FrameKind } from '../process-pool/frames.ts'
import type { PooledProcess } from '../process-pool/pooled-process.ts'
import { ProcessPool } from '../process-pool/process-pool.ts'
import type { ByteStream, QueryCaller } from '../store/store.ts'
import type { ParquetDescription } from './parquet-file.ts'

/** Files that are written at once. Each takes up to 200 MiB. A company may have all but one, and a client one. */
const MOST_AT_ONCE = 3
/** Beyond this number a client is better served by retrying. */
const MAX_WAITING = 32

/** What is read for a file. */
interface RowsAnswer {
  /** In the format `tuples`. */
  readonly body: string | Uint8Array | ByteStream
}

export class ParquetEncoder implements AsyncDisposable {
  readonly #pool = new ProcessPool({
    inFlight: MOST_AT_ONCE,
    maxPerGroup: MOST_AT_ONCE - 1,
    maxPerMember: 1,
    waiting: MAX_WAITING,
    lasting: 1,
    start: () => startProgram('encoder-process', import.meta.url, [], ['ignore', 'ignore', 'pipe', 'pipe']),
    ended: encoderEnded,
    refusal: () => unavailable('Too many Parquet files are being written.', 5),
  })

  get figures(): QueueFigures {
    return this.#pool.figures
  }

  /**
   * Reads an answer when its turn has come, and replaces its body by the file, whose stream returns the number of rows.
   * The first part is written when this resolves, so that an error can still become an error response.
   */
  async encode<Answer extends RowsAnswer>(
    { flow, onAbandoned }: QueryCaller,
    read: () => Promise<Answer>,
    describe: (answer: Answer) => ParquetDescription,
  ): Promise<Omit<Answer, 'body'> & { readonly body: ByteStream }> {
    const release = await this.#pool.acquire(flow, onAbandoned)
    const answer = await read().catch((error) => {
      release()
      throw error
    })
    const body = await peekFirst(this.#file(rowsOf(answer.body), describe(answer), release))
    return { ...answer, body }
  }

  /** Kills all processes. Waiting and further files are rejected (503). */
  close(): Promise<void> {
    return this.#pool.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async *#file(rows: AsyncIterator<Uint8Array>, description: ParquetDescription, release: Release): ByteStream {
    let encoder: PooledProcess | undefined
    let isDone = false
    try {
      encoder = this.#pool.take()
      encoder.send(FrameKind.request, Buffer.from(JSON.stringify(description)))
      const sending = sendRows(encoder, rows)
      for (;;) {
        const kind = await encoder.nextFrame()
        while (kind === FrameKind.chunk && encoder.left > 0) yield await encoder.readSome()
        if (kind === FrameKind.chunk) continue
        const content = await encoder.readBody()
        if (kind === FrameKind.failure) throw new Error(`no Parquet file can be written: ${content}`)
        await sending
        isDone = true
        return Number(content)
      }
    } finally {
      if (encoder) this.#pool.giveBack(encoder, release, isDone && encoder.isReusable)
      else release()
      if (!isDone) void rows.return?.().catch(() => {})
    }
  }
}

/** Sends the rows as fast as they are taken. When reading them fails, whoever waits for the file gets the reason. */
async function sendRows(encoder: PooledProcess, rows: AsyncIterator<Uint8Array>): Promise<void> {
  try {
    for (let next = await rows.next(); !next.done; next = await rows.next()) {
      encoder.sendHeader(FrameKind.chunk, next.value.length)
      await encoder.sendPart(next.value)
    }
    encoder.send(FrameKind.end, Buffer.alloc(0))
  } catch (error) {
    encoder.kill(error as Error)
  }
}

async function* single(body: string | Uint8Array): AsyncGenerator<Uint8Array, void, void> {
  yield Buffer.from(body)
}

function rowsOf(body: RowsAnswer['body']): AsyncIterator<Uint8Array> {
  return typeof body === 'string' || body instanceof Uint8Array ? single(body) : body
}

function encoderEnded(reason: string): Error {
  return unavailable('The Parquet file was ended with the process that wrote it.', 5, new Error(reason))
}
