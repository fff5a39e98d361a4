// Jobs on file contents, done in processes of their own: started when first needed, one job each at a time, ended when
// idle. A content that hangs, fills or breaks its process harms nobody else; the service only ever sees the answer.
import { unavailable } from '../../errors/catalogue.ts'
import { type Job, JobChild, type JobContent } from './job-child.ts'
import { JobKilled, QueueFull } from './job-faults.ts'

/** A process that nobody needs is given back to the machine. */
const IDLE_MS = 60_000

const PROGRAM = new URL(import.meta.url.endsWith('.ts') ? './job-process.ts' : './job-process.js', import.meta.url)

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

interface Waiting {
  readonly take: (child: Promise<JobChild>) => void
  readonly drop: (reason: Error) => void
}

export class JobPool {
  readonly #settings: PoolSettings
  readonly #all = new Set<JobChild>()
  readonly #idle = new Map<JobChild, NodeJS.Timeout>()
  readonly #waiting: Waiting[] = []
  #isClosed = false

  constructor(settings: PoolSettings) {
    this.#settings = settings
  }

  /**
   * The answer of one job. The content is opened when a process is there to take it, and given on as it comes. Throws
   * `JobFailed`, `JobKilled`, `QueueFull`, and what reading the content throws.
   */
  async run(job: Job, content?: JobContent): Promise<Uint8Array> {
    const child = await this.#acquire()
    try {
      return await child.do(job, content)
    } finally {
      this.#release(child)
    }
  }

  /** Ends every process, whatever it does; jobs that wait, and those that come, are refused (503). */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const { drop } of this.#waiting.splice(0)) drop(stopping())
    for (const timer of this.#idle.values()) clearTimeout(timer)
    await Promise.all([...this.#all].map((child) => child.end()))
  }

  async #acquire(): Promise<JobChild> {
    if (this.#isClosed) throw stopping()
    const idle = [...this.#idle.keys()].at(-1)
    if (idle) return this.#wake(idle)
    if (this.#all.size < this.#settings.processes) return this.#start()
    if (this.#waiting.length >= this.#settings.queue) throw new QueueFull('too many jobs are waiting')
    return new Promise((take, drop) => this.#waiting.push({ take, drop }))
  }

  #wake(child: JobChild): JobChild {
    clearTimeout(this.#idle.get(child))
    this.#idle.delete(child)
    child.keepAlive(true)
    return child
  }

  #release(child: JobChild): void {
    if (!child.isFresh) {
      child.kill('ended', 'the process is replaced')
      return
    }
    const next = this.#waiting.shift()
    if (next) {
      next.take(Promise.resolve(child))
      return
    }
    child.keepAlive(false)
    const endIdle = () => {
      this.#idle.delete(child)
      child.kill('ended', 'the process is not needed')
    }
    this.#idle.set(child, setTimeout(endIdle, this.#settings.idleMs ?? IDLE_MS).unref())
  }

  async #start(): Promise<JobChild> {
    const child = this.#begin()
    this.#all.add(child)
    await child.ready()
    return child
  }

  #begin(): JobChild {
    const { program = PROGRAM, memoryBytes } = this.#settings
    try {
      const child: JobChild = new JobChild(program, memoryBytes, () => this.#forget(child))
      return child
    } catch (error) {
      this.#serveNext()
      throw new JobKilled('ended', `no process can be started: ${error}`)
    }
  }

  #forget(child: JobChild): void {
    this.#all.delete(child)
    clearTimeout(this.#idle.get(child))
    this.#idle.delete(child)
    this.#serveNext()
  }

  /** Who waits gets the place of a process that is gone. */
  #serveNext(): void {
    if (!this.#isClosed) this.#waiting.shift()?.take(this.#start())
  }
}

function stopping(): Error {
  return unavailable('The service is stopping.')
}
