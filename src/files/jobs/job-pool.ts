// Jobs on file contents, done in processes of their own: started when first needed, one job each at a time, ended when
// idle; callers take turns. A content that hangs, fills or breaks its process harms nobody else; the service only ever sees the answer.
import type { Flow } from '../../base/fair-queue.ts'
import { FairSemaphore, type Release } from '../../base/fair-semaphore.ts'
import { siblingModule } from '../../base/sibling-module.ts'
import { unavailable } from '../../errors/catalogue.ts'
import { type Job, JobChild, type JobContent } from './job-child.ts'
import { JobKilled, QueueFull } from './job-faults.ts'

/** A process that nobody needs is given back to the machine. */
const IDLE_MS = 60_000

const PROGRAM = siblingModule('job-process', import.meta.url)

export interface PoolSettings {
  /** The most that work at once. */
  readonly processes: number
  /** What one of them may have in memory. */
  readonly memoryBytes: number
  /** The most jobs that wait. */
  readonly queue: number
  /** After so long without a job a process is ended. */
  readonly idleMs?: number
  /** The program of a process, which calls `answerJobs`. */
  readonly program?: URL
}

export class JobPool {
  readonly #settings: PoolSettings
  readonly #places: FairSemaphore
  readonly #all = new Set<JobChild>()
  readonly #idle = new Map<JobChild, NodeJS.Timeout>()

  constructor(settings: PoolSettings) {
    this.#settings = settings
    const { processes, queue } = settings
    const refusal = () => new QueueFull('too many jobs are waiting')
    this.#places = new FairSemaphore({ permits: processes, waiting: queue, refusal })
  }

  /**
   * The answer of one job, for one caller among others. The content is opened when a process is there to take it, and given
   * on as it comes. Throws `JobFailed`, `JobKilled`, `QueueFull`, and what reading the content throws.
   */
  async run(flow: Flow, job: Job, content?: JobContent): Promise<Uint8Array> {
    const release = await this.#places.acquire(flow)
    let child: JobChild | undefined
    try {
      child = this.#wake()
      if (!child) {
        child = this.#start()
        await child.ready()
      }
      return await child.do(job, content)
    } finally {
      if (child) this.#leave(child, release)
      else release()
    }
  }

  /** Ends every process, whatever it does; jobs that wait, and those that come, are refused (503). */
  async close(): Promise<void> {
    this.#places.close(unavailable('The service is stopping.'))
    for (const timer of this.#idle.values()) clearTimeout(timer)
    await Promise.all([...this.#all].map((child) => child.end()))
  }

  /** The one that was used last, so that the others can end. */
  #wake(): JobChild | undefined {
    const child = [...this.#idle.keys()].at(-1)
    if (!child) return undefined
    clearTimeout(this.#idle.get(child))
    this.#idle.delete(child)
    child.keepAlive(true)
    return child
  }

  /** A process that is done for keeps its place until it is gone. */
  #leave(child: JobChild, release: Release): void {
    if (!child.isFresh) {
      void child.end().then(release)
      return
    }
    child.keepAlive(false)
    const endIdle = () => {
      this.#idle.delete(child)
      child.kill('ended', 'the process is not needed')
    }
    this.#idle.set(child, setTimeout(endIdle, this.#settings.idleMs ?? IDLE_MS).unref())
    release()
  }

  #start(): JobChild {
    const { program = PROGRAM, memoryBytes } = this.#settings
    try {
      const child: JobChild = new JobChild(program, memoryBytes, () => this.#forget(child))
      this.#all.add(child)
      return child
    } catch (error) {
      throw new JobKilled('ended', `no process can be started: ${error}`)
    }
  }

  #forget(child: JobChild): void {
    this.#all.delete(child)
    clearTimeout(this.#idle.get(child))
    this.#idle.delete(child)
  }
}
