// Checks secrets in a worker thread, one at a time. Checks queue fairly by address, and within an address by client, so
// that an attacker who tries many mostly delays itself.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { AdmissionQueue } from '../base/concurrency/admission-queue.ts'
import type { Flow } from '../base/concurrency/fair-queue.ts'
import type { QueueFigures } from '../base/concurrency/waiting-queue.ts'
import { siblingModule } from '../base/process/processes.ts'
import { unavailable } from '../errors/catalogue.ts'
import type { SecretCheck } from './secret-thread.ts'

const THREAD_MODULE = siblingModule('secret-thread', import.meta.url)
/** Some ten seconds of checks. */
const MAX_WAITING = 200
const TIMEOUT_MS = 10_000
/** An idle thread is ended after this time. */
const IDLE_MS = 60_000
const HEAP_MIB = 16

export class SecretChecks {
  readonly #queue = new AdmissionQueue({
    inFlight: 1,
    waiting: MAX_WAITING,
    maxWaitMs: TIMEOUT_MS,
    refusal: () => unavailable('Too many secrets are being checked.', 1),
  })
  #thread: Worker | undefined
  #idle: NodeJS.Timeout | undefined

  get figures(): QueueFigures {
    return this.#queue.figures
  }

  /** The hash that the secret matches, if any; undefined if it may not be checked when it is its turn. */
  async check(
    flow: Flow,
    check: SecretCheck,
    mayCheck: () => Promise<boolean>,
  ): Promise<{ readonly matched: string | undefined } | undefined> {
    return this.#queue.run(flow, 1, async () => ((await mayCheck()) ? { matched: await this.#run(check) } : undefined))
  }

  async close(): Promise<void> {
    this.#queue.close(unavailable('The service is stopping.'))
    clearTimeout(this.#idle)
    await this.#thread?.terminate()
  }

  async #run(check: SecretCheck): Promise<string | undefined> {
    clearTimeout(this.#idle)
    this.#thread ??= this.#start()
    const thread = this.#thread
    thread.ref()
    const ended = new AbortController()
    try {
      const answer = once(thread, 'message', { signal: ended.signal })
      thread.postMessage(check)
      const [matched] = await Promise.race([answer, endOf(thread, ended.signal)])
      return matched as string | undefined
    } finally {
      ended.abort()
      // An idle thread must not keep the process alive.
      thread.unref()
      this.#idle = setTimeout(() => void this.#thread?.terminate(), IDLE_MS).unref()
    }
  }

  #start(): Worker {
    const thread = new Worker(THREAD_MODULE, { env: {}, resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB } })
    // Reported by the check that is waiting on this thread.
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
