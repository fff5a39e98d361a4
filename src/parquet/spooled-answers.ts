// The answers that are kept as files: made once for all who ask at the same time, and then read in parts.
import { open } from 'node:fs/promises'
import { peekFirst } from '../base/byte-stream.ts'
import { onDisk } from '../files/disk.ts'
import type { ByteRange } from '../files/file-store.ts'
import type { ByteStream, QueryCaller } from '../store/store.ts'
import {
  questionOf,
  type SpooledFile,
  type SpoolFolder,
  type SpoolKey,
  type SpoolNotes,
  throwGone,
} from './spool-folder.ts'

interface StreamedAnswer extends Omit<SpoolNotes, 'rows'> {
  readonly body: ByteStream
}

type Make = (requester: QueryCaller) => Promise<StreamedAnswer>

/** A file that is being made. */
interface Making {
  readonly file: Promise<SpooledFile>
  /** How many wait for it. */
  waiting: number
  readonly nobodyWaits: AbortController
}

/** The company that a caller may write in other letters, and how many records of it were erased. */
export type FindSpoolCompany = (company: string) => Promise<{ readonly id: string; readonly erasures: number }>

export class SpooledAnswers {
  readonly #folder: SpoolFolder
  readonly #companyOf: FindSpoolCompany
  readonly #made = new Map<string, Making>()

  constructor(folder: SpoolFolder, companyOf: FindSpoolCompany) {
    this.#folder = folder
    this.#companyOf = companyOf
  }

  /** The text that identifies a question of a company: no file from before an erasure is found by it. */
  async questionOf(company: string, requested: unknown): Promise<string> {
    const { id, erasures } = await this.#companyOf(company)
    return questionOf(id, [erasures, requested])
  }

  /** The file with an entity tag, or by default the newest one; undefined when there is none. */
  async find(question: string, tag?: string): Promise<SpooledFile | undefined> {
    const files = await this.#folder.find(question)
    return this.#kept(files.find((file) => tag === undefined || tagOf(file) === tag))
  }

  /** The file of a state of the data, which is made if there is none. */
  async fileOf(key: SpoolKey, caller: QueryCaller, make: Make): Promise<SpooledFile> {
    const files = await this.#folder.find(key.question)
    return (await this.#kept(files.find(({ state }) => state === key.state))) ?? this.#wait(key, caller, make)
  }

  async #kept(file: SpooledFile | undefined): Promise<SpooledFile | undefined> {
    if (file) await this.#folder.keep(file)
    return file
  }

  /** Ends the work when nobody waits for it any more. */
  #wait(key: SpoolKey, { flow, onAbandoned }: QueryCaller, make: Make): Promise<SpooledFile> {
    const name = `${key.question}.${key.state}`
    const making = this.#made.get(name) ?? this.#begin(name, key, flow, make)
    making.waiting += 1
    onAbandoned(() => {
      making.waiting -= 1
      if (making.waiting === 0) making.nobodyWaits.abort()
    })
    return making.file
  }

  #begin(name: string, key: SpoolKey, flow: QueryCaller['flow'], make: Make): Making {
    const nobodyWaits = new AbortController()
    const { signal } = nobodyWaits
    const requester: QueryCaller = {
      flow,
      onAbandoned: (stop) => signal.addEventListener('abort', stop, { once: true }),
    }
    const file = make(requester).then((answer) => this.#folder.add(key, answer, untilAborted(answer.body, signal)))
    const making = { file, waiting: 0, nobodyWaits }
    this.#made.set(name, making)
    const forget = () => {
      // A new one has begun if this one was abandoned.
      if (this.#made.get(name) === making) this.#made.delete(name)
    }
    signal.addEventListener('abort', forget, { once: true })
    file.then(forget, forget)
    return making
  }
}

/** The stream, which fails when it is aborted: if it ended, it would pass for a whole file. */
async function* untilAborted(body: ByteStream, signal: AbortSignal): ByteStream {
  try {
    for (let next = await body.next(); ; next = await body.next()) {
      signal.throwIfAborted()
      if (next.done) return next.value
      yield next.value
    }
  } finally {
    await body.return(0)
  }
}

/** The strong entity tag of a file, without its quotes: no two files have the same. */
export function tagOf({ id }: SpooledFile): string {
  return id
}

/** Reads a file or a range of it, which goes on when the file is removed meanwhile. */
export async function openSpooled(
  { path }: SpooledFile,
  range?: ByteRange,
): Promise<AsyncGenerator<Uint8Array, void, void>> {
  const file = await onDisk(open(path, 'r')).catch(throwGone)
  const stream = file.createReadStream(range ? { start: range.first, end: range.last } : {})
  return peekFirst(chunksOf(stream))
}

async function* chunksOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  yield* stream
}
