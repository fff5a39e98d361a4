// A pool of processes that run jobs on file contents. Processes start on demand, run one job at a time, and end when
// idle. Callers are scheduled fairly. A content that hangs or crashes its process, or exhausts its memory, affects
// nothing else.
import type { Flow } from '../../base/concurrency/fair-queue.ts'
import { FairSemaphore, type Release } from '../../base/concurrency/fair-semaphore.ts'
import { siblingModule } from '../../base/process/sibling-module.ts'
import { unavailable } from '../../errors/catalogue.ts'
import { type Job, JobChild, type JobContent } from './job-child.ts'
import { JobKilled, QueueFull } from './job-faults.ts'

/** Default time after which an idle process ends. */
const IDLE_MS = 60_000

const PROGRAM = siblingModule('job-process', import.meta.url)

export interface PoolSettings {
  /** Maximum number of processes. */
  readonly processes: number
  /** Memory limit of each process. */
  readonly memoryBytes: number
  /** Maximum number of waiting jobs. */
  readonly queue: number
  /** Time without a job after which a process ends. */
  readonly idleMs?: number
  /** The program of a process; it must call `runJobs`. */
  readonly program?: URL
}

export class JobPool {
  readonly #settings: PoolSettings
  readonly #permits: FairSemaphore
  readonly #all = new Set<JobChild>()
  readonly #idle = new Map<JobChild, NodeJS.Timeout>()

  constructor(settings: PoolSettings) {
    this.#settings = settings
    const { processes, queue } = settings
    const refusal = () => new QueueFull('too many jobs are waiting')
    this.#permits = new FairSemaphore({ permits: processes, maxWaiting: queue, rejection: refusal })
  }

  /**
   * Runs one job and returns its answer. `flow` identifies the caller for fair scheduling. The content is opened when a
   * process is ready, and streamed to it. Throws `JobFailed`, `JobKilled`, `QueueFull`, or the error of reading the
   * content.
   */
  async run(flow: Flow, job: Job, content?: JobContent): Promise<Uint8Array> {
    const release = await this.#permits.acquire(flow)
    let child: JobChild | undefined
    try {
      child = this.#takeIdle()
      if (!child) {
        child = this.#start()
        await child.ready()
      }
      return await child.run(job, content)
    } finally {
      if (child) this.#giveBack(child, release)
      else release()
    }
  }

  /** Kills all processes. Waiting and further jobs are rejected (503). */
  async close(): Promise<void> {
    this.#permits.close(unavailable('The service is stopping.'))
    for (const timer of this.#idle.values()) clearTimeout(timer)
    await Promise.all([...this.#all].map((child) => child.end()))
  }

  /** The most recently used idle process, so that the others reach their idle timeout. */
  #takeIdle(): JobChild | undefined {
    const child = [...this.#idle.keys()].at(-1)
    if (!child) return undefined
    clearTimeout(this.#idle.get(child))
    this.#idle.delete(child)
    child.keepAlive(true)
    return child
  }

  /** Returns a process to the pool. One that is not reusable holds its permit until it has ended. */
  #giveBack(child: JobChild, release: Release): void {
    if (!child.isReusable) {
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
