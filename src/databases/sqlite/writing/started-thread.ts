// The thread that stores the records of an import, as those who ask it see it.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { getOrInsert } from '../../../base/memo.ts'
import { siblingModule } from '../../../base/process/processes.ts'
import { sqliteError } from '../dialect/faults.ts'
import type { NewStatement, ThreadData, ThreadFailure, ThreadReply, ThreadRequest } from './messages.ts'

/** The thread has ended by itself: what it was asked is not answered. */
export class ThreadEnded extends Error {}

interface Asked {
  answered(value: unknown): void
  failed(error: Error): void
}

export class StartedThread {
  readonly #thread: Worker
  readonly #asked: Asked[] = []
  /** The numbers of statements, by their texts. */
  readonly #numbers = new Map<string, number>()
  #newStatements: NewStatement[] = []
  #ended: ThreadEnded | undefined

  constructor(data: ThreadData) {
    this.#thread = new Worker(siblingModule('bulk-thread', import.meta.url), { workerData: data, env: {} })
    let cause: unknown
    this.#thread.on('error', (error) => {
      cause = error
    })
    this.#thread.on('message', (reply: ThreadReply) => this.#take(reply))
    this.#thread.once('exit', () => {
      this.#ended = new ThreadEnded('the thread that stores records has ended', { cause })
      for (const { failed } of this.#asked.splice(0)) failed(this.#ended)
    })
  }

  get hasEnded(): boolean {
    return this.#ended !== undefined
  }

  ask(request: ThreadRequest): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers()
    if (this.#ended) reject(this.#ended)
    else {
      this.#asked.push({ answered: resolve, failed: reject })
      this.#thread.postMessage(request)
    }
    return promise
  }

  /** Closes its connection. */
  async end(): Promise<void> {
    if (this.#ended) return
    const exit = once(this.#thread, 'exit')
    this.#thread.postMessage({ kind: 'close' } satisfies ThreadRequest)
    await exit
  }

  /** The number by which the thread knows a statement, after the next work. */
  numberOf(text: string, parameters: number): number {
    return getOrInsert(this.#numbers, text, () => {
      const no = this.#numbers.size
      this.#newStatements.push({ no, text, parameters })
      return no
    })
  }

  takeNewStatements(): readonly NewStatement[] {
    const taken = this.#newStatements
    this.#newStatements = []
    return taken
  }

  #take(reply: ThreadReply): void {
    const asked = this.#asked.shift()
    if ('value' in reply) asked?.answered(reply.value)
    else asked?.failed(errorOf(reply.failure))
  }
}

function errorOf({ message, errcode }: ThreadFailure): Error {
  return errcode === undefined ? new Error(message) : sqliteError(message, errcode)
}
