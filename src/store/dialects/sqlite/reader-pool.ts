// The reader processes: started when first needed, one question each at a time, ended and replaced when one overruns.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { unavailable } from '../../../errors/catalogue.ts'
import { begun } from '../../pieces.ts'
import type { Pieces } from '../../store.ts'
import { queryTooLong } from '../../store-fault.ts'
import { translate } from './faults.ts'
import { FrameReader } from './frame-reader.ts'
import { CHANNEL, type Failure, headerOf, Kind, type Question } from './frames.ts'

/** More would only share the same cores; one must be left while another is busy. */
const MOST_READERS = Math.min(4, Math.max(2, availableParallelism()))
/** Beyond this many waiting queries a client is better served by trying again. */
const MAX_WAITING = 64

const PROGRAM = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './reader-process.ts' : './reader-process.js', import.meta.url),
)

interface Reader {
  readonly process: ChildProcess
  readonly channel: Socket
  readonly frames: FrameReader
}

export class ReaderPool {
  readonly #args: readonly string[]
  readonly #timeoutMs: number
  readonly #idle: Reader[] = []
  readonly #all = new Set<Reader>()
  readonly #waiting: ((reader: Reader) => void)[] = []
  #isClosed = false

  /** `args`: the database file, and what is attached to it. A query that gives nothing for `timeoutMs` is ended. */
  constructor(args: readonly string[], timeoutMs: number) {
    this.#args = args
    this.#timeoutMs = timeoutMs
  }

  /** The pieces of an answer. Its first piece is there when this resolves, so that a refusal still can be one. */
  async ask(question: Question, onAbandoned: (stop: () => void) => void = () => {}): Promise<Pieces> {
    const reader = await this.#acquire()
    const work = { isDone: false }
    onAbandoned(() => work.isDone || reader.process.kill('SIGKILL'))
    return begun(this.#pieces(reader, question, work))
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

  /** A reader that is left in the middle of an answer, whoever left it, is ended: nothing else would stop it. */
  async *#pieces(reader: Reader, question: Question, work: { isDone: boolean }): Pieces {
    keepAlive(reader, true)
    try {
      const body = Buffer.from(JSON.stringify(question))
      reader.channel.write(headerOf(Kind.question, body.length))
      reader.channel.write(body)
      for (;;) {
        const { kind, length } = await this.#withDeadline(reader, reader.frames.head())
        if (kind === Kind.piece) {
          yield* this.#contentOf(reader, length)
          continue
        }
        const content = await reader.frames.whole(length)
        work.isDone = true
        if (kind === Kind.failure) throw failureOf(content)
        return Number(content)
      }
    } finally {
      if (work.isDone) this.#release(reader)
      else reader.process.kill('SIGKILL')
    }
  }

  /** Given on as it comes: a large answer is not put together again. */
  async *#contentOf(reader: Reader, length: number): AsyncGenerator<Uint8Array, void, void> {
    for (let missing = length; missing > 0; ) {
      const part = await this.#withDeadline(reader, reader.frames.some(missing))
      missing -= part.length
      yield part
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
      throw isLate ? queryTooLong(this.#timeoutMs) : error
    } finally {
      clearTimeout(timer)
    }
  }

  #acquire(): Promise<Reader> {
    if (this.#isClosed) return Promise.reject(unavailable('The service is stopping.'))
    const idle = this.#idle.pop()
    if (idle) return Promise.resolve(idle)
    if (this.#all.size < MOST_READERS) return Promise.resolve(this.#start())
    if (this.#waiting.length >= MAX_WAITING) return Promise.reject(unavailable('Too many queries are waiting.', 1))
    return new Promise((resume) => this.#waiting.push(resume))
  }

  #release(reader: Reader): void {
    const next = this.#waiting.shift()
    if (next) {
      next(reader)
      return
    }
    keepAlive(reader, false)
    this.#idle.push(reader)
  }

  #start(): Reader {
    const child = spawn(process.execPath, [PROGRAM, ...this.#args], {
      stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
      env: {},
    })
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
    const at = this.#idle.indexOf(reader)
    if (at >= 0) this.#idle.splice(at, 1)
    if (this.#isClosed) return
    const next = this.#waiting.shift()
    if (next) next(this.#start())
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
  const { code, message } = JSON.parse(content.toString()) as Failure
  return code.startsWith('SQLITE') ? translate(new Database.SqliteError(message, code)) : new Error(message)
}
