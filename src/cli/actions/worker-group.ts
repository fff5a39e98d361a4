// Several processes on one port and one store. The process that leads them holds the data folder, and loads nothing
// that serves: the first worker brings everything up to date before the others open the store. One that ends by itself
// is replaced.

import cluster, { type Worker } from 'node:cluster'
import type { StartSettings } from '../../app/application.ts'
import type { FolderHold } from '../../databases/driver.ts'
import { holdFolder } from '../../databases/open/hold-folder.ts'
import { FATAL_EXIT_CODE, type Terminal } from '../terminal/terminal.ts'
import { relayMetrics } from './cluster-metrics.ts'
import type { Admission, FromWorker, ToWorker } from './worker.ts'

/** One that ends at once would end again. */
const REPLACE_AFTER_MS = 1_000

/** Serves with `count` workers; resolves when all of them have ended. */
export async function serveByWorkers(
  { observe, data, database }: StartSettings,
  terminal: Terminal,
  count: number,
  onReady: (address: string) => void,
): Promise<void> {
  const group = new WorkerGroup(count, terminal, onReady)
  let folder: FolderHold | undefined
  let hasEndedCleanly = false
  const stop = (signal: NodeJS.Signals): void => {
    observe({ kind: 'stopping', signal })
    void folder?.stopCheck()
    group.stop(signal)
  }
  terminal.on('SIGTERM', stop)
  terminal.on('SIGINT', stop)
  try {
    if (await group.prepared) {
      if (database === undefined) folder = holdFolder(data)
      folder?.checkUnlessTrusted(observe)
      relayMetrics()
      group.admitAll()
    }
    await group.ended
    hasEndedCleanly = terminal.exitCode === undefined
    if (hasEndedCleanly) observe({ kind: 'stopped' })
  } finally {
    group.kill()
    await folder?.release(hasEndedCleanly)
  }
}

/** The worker processes. */
class WorkerGroup {
  readonly #ended = Promise.withResolvers<void>()
  readonly #prepared = Promise.withResolvers<boolean>()
  readonly ended = this.#ended.promise
  /** Whether the store is up to date; false when that failed. */
  readonly prepared = this.#prepared.promise
  readonly #count: number
  readonly #terminal: Terminal
  readonly #onReady: (address: string) => void
  readonly #listening = new Set<number>()
  readonly #waiting = new Set<Worker>()
  /** The worker that prepares the store, and later the one that looks after it. */
  #caretaker: Worker | undefined
  #isPrepared = false
  #isReady = false
  #isStopping = false

  constructor(count: number, terminal: Terminal, onReady: (address: string) => void) {
    this.#count = count
    this.#terminal = terminal
    this.#onReady = onReady
    for (let started = 0; started < count; started++) this.#start()
  }

  /** Lets the workers open the store, once it is up to date. */
  admitAll(): void {
    this.#isPrepared = true
    for (const worker of this.#waiting) this.#admit(worker)
  }

  /** Kills the remaining workers. */
  kill(): void {
    this.#isStopping = true
    for (const worker of this.#workers) worker.process.kill('SIGKILL')
  }

  stop(signal: NodeJS.Signals): void {
    this.#isStopping = true
    for (const worker of this.#workers) worker.process.kill(signal)
    if (this.#workers.length === 0) this.#finish()
  }

  get #workers(): Worker[] {
    return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
  }

  #start(): void {
    const worker = cluster.fork()
    worker.on('message', (message: FromWorker) => this.#onMessage(worker, message))
    worker.once('exit', (code) => this.#onExit(worker, code))
  }

  #onMessage(worker: Worker, { isLoaded, hasPrepared, listening }: FromWorker): void {
    if (isLoaded && this.#isPrepared) this.#admit(worker)
    else if (isLoaded) this.#wait(worker)
    if (hasPrepared) this.#prepared.resolve(true)
    if (listening === undefined) return
    this.#listening.add(worker.id)
    if (this.#isReady || this.#listening.size < this.#count) return
    this.#isReady = true
    this.#onReady(listening)
  }

  /** The first that is loaded prepares the store. */
  #wait(worker: Worker): void {
    this.#waiting.add(worker)
    if (this.#caretaker) return
    this.#caretaker = worker
    tell(worker, { prepares: true })
  }

  #admit(worker: Worker): void {
    this.#caretaker ??= worker
    const admission: Admission = { looksAfter: worker === this.#caretaker }
    tell(worker, { admission })
  }

  #finish(error?: Error): void {
    this.#prepared.resolve(false)
    if (error) this.#ended.reject(error)
    else this.#ended.resolve()
  }

  #onExit(worker: Worker, code: number | null): void {
    if (worker === this.#caretaker) this.#caretaker = undefined
    if (this.#isStopping) {
      if (this.#workers.length === 0) this.#finish()
      return
    }
    // A worker that failed during startup, or must not continue, is not replaced.
    if (!this.#isReady || code === FATAL_EXIT_CODE) {
      this.kill()
      this.#terminal.exitCode = code || 1
      // With any other code than 0 it has told why.
      this.#finish(code ? undefined : new Error(`a process that should serve ended with ${code}`))
      return
    }
    setTimeout(() => !this.#isStopping && this.#start(), REPLACE_AFTER_MS)
  }
}

function tell(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message)
}
