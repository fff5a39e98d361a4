// A pool of processes for work that may hang, crash or exhaust its memory: a process can be killed. Processes start on
// demand, serve one request at a time, and end when idle. Callers are scheduled fairly.
import type { ChildProcess } from 'node:child_process'
import {
  AdmissionQueue,
  type AdmissionSettings,
  type OnAbandoned,
  type Release,
} from '../base/concurrency/admission-queue.ts'
import type { Flow } from '../base/concurrency/fair-queue.ts'
import type { QueueFigures } from '../base/concurrency/waiting-queue.ts'
import { unavailable } from '../errors/catalogue.ts'
import { type EndedFault, PooledProcess } from './pooled-process.ts'

/** The default time after which an idle process ends. */
const IDLE_MS = 60_000

interface ProcessPoolSettings extends AdmissionSettings {
  /** Processes beyond this number end when nobody waits for them; absent: as many as serve at once. */
  readonly lasting?: number
  /** The time without a request after which a process ends. */
  readonly idleMs?: number | undefined
  start(): ChildProcess
  readonly ended: EndedFault
}

export class ProcessPool {
  readonly #settings: ProcessPoolSettings
  readonly #queue: AdmissionQueue
  readonly #all = new Set<PooledProcess>()
  readonly #idle = new Map<PooledProcess, NodeJS.Timeout>()

  constructor(settings: ProcessPoolSettings) {
    this.#settings = settings
    this.#queue = new AdmissionQueue(settings)
  }

  get used(): number {
    return this.#all.size - this.#idle.size
  }

  get idle(): number {
    return this.#idle.size
  }

  get waiting(): number {
    return this.#queue.waiting
  }

  get figures(): QueueFigures {
    return this.#queue.figures
  }

  get residentBytes(): number {
    return [...this.#all].reduce((sum, process) => sum + process.residentBytes, 0)
  }

  acquire(flow: Flow, onAbandoned?: OnAbandoned): Promise<Release> {
    return this.#queue.acquire(flow, 1, onAbandoned)
  }

  /** The most recently used idle process, so that the others reach their idle timeout; otherwise a new one. */
  take(): PooledProcess {
    const idle = [...this.#idle.keys()].at(-1)
    if (idle) this.#forgetIdle(idle)
    const process = idle ?? this.#start()
    process.keepAlive(true)
    return process
  }

  /** Returns a process to the pool. One that is not used again holds its slot until it has ended. */
  giveBack(process: PooledProcess, release: Release | undefined, isReusable = process.isReusable): void {
    const { inFlight, lasting = inFlight, idleMs = IDLE_MS } = this.#settings
    const isSurplus = this.#all.size > lasting && (!release || this.waiting === 0)
    if (!isReusable || isSurplus) {
      void process.end(this.#notNeeded()).then(release)
      return
    }
    process.keepAlive(false)
    const endIdle = () => {
      this.#idle.delete(process)
      process.kill(this.#notNeeded())
    }
    this.#idle.set(process, setTimeout(endIdle, idleMs).unref())
    release?.()
  }

  /** Kills all processes. Waiting and further requests are rejected (503). */
  async close(): Promise<void> {
    this.#queue.close(unavailable('The service is stopping.'))
    await Promise.all([...this.#all].map((process) => process.end(this.#notNeeded())))
  }

  #start(): PooledProcess {
    const { start, ended } = this.#settings
    try {
      const process: PooledProcess = new PooledProcess(start(), ended, () => {
        this.#all.delete(process)
        this.#forgetIdle(process)
      })
      this.#all.add(process)
      return process
    } catch (error) {
      throw ended(`no process can be started: ${error}`, true)
    }
  }

  #forgetIdle(process: PooledProcess): void {
    clearTimeout(this.#idle.get(process))
    this.#idle.delete(process)
  }

  #notNeeded(): Error {
    return this.#settings.ended('the process is not needed any more', true)
  }
}
