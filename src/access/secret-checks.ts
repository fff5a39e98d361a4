// Checks secrets in a thread of their own, one at a time. Those that wait are shared out by the addresses that they come from,
// and of an address by client: who tries many waits for himself.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Flow } from '../base/fair-queue.ts'
import { FairSemaphore } from '../base/fair-semaphore.ts'
import { siblingModule } from '../base/sibling-module.ts'
import { unavailable } from '../errors/catalogue.ts'
import type { SecretQuestion } from './secret-thread.ts'

const PROGRAM = siblingModule('secret-thread', import.meta.url)
/** Some ten seconds of checks. */
const MOST_WAITING = 200
const PATIENCE_MS = 10_000
/** A thread that nobody needs is given back to the machine. */
const IDLE_MS = 60_000
const HEAP_MIB = 16

export class SecretChecks {
  readonly #turns = new FairSemaphore({
    permits: 1,
    waiting: MOST_WAITING,
    patienceMs: PATIENCE_MS,
    refusal: () => unavailable('Too many secrets are being checked.', 1),
  })
  #thread: Worker | undefined
  #idle: NodeJS.Timeout | undefined

  /** Whether the secret is right, once `begin` has let it. Throws 503 when too many wait, and what `begin` throws. */
  async check(flow: Flow, question: SecretQuestion, begin: () => Promise<void>): Promise<boolean> {
    const release = await this.#turns.acquire(flow)
    try {
      await begin()
      return await this.#ask(question)
    } finally {
      release()
    }
  }

  async close(): Promise<void> {
    this.#turns.close(unavailable('The service is stopping.'))
    clearTimeout(this.#idle)
    await this.#thread?.terminate()
  }

  async #ask(question: SecretQuestion): Promise<boolean> {
    clearTimeout(this.#idle)
    this.#thread ??= this.#start()
    const thread = this.#thread
    thread.ref()
    const ended = new AbortController()
    try {
      const answer = once(thread, 'message', { signal: ended.signal })
      thread.postMessage(question)
      const [isRight] = await Promise.race([answer, endOf(thread, ended.signal)])
      return isRight as boolean
    } finally {
      ended.abort()
      // It keeps no program from ending.
      thread.unref()
      this.#idle = setTimeout(() => void this.#thread?.terminate(), IDLE_MS).unref()
    }
  }

  #start(): Worker {
    const thread = new Worker(PROGRAM, { env: {}, resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB } })
    // Told by the check that needs it.
    thread.on('error', () => {})
    thread.once('exit', () => {
      if (this.#thread === thread) this.#thread = undefined
    })
    return thread
  }
}

async function endOf(thread: Worker, signal: AbortSignal): Promise<never> {
  await once(thread, 'exit', { signal })
  throw unavailable('The secret cannot be checked now.', 1)
}
