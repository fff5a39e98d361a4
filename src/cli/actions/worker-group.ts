// Several processes on one port and one store. The first brings everything up to date, holds the data folder, looks
// after the keys, and starts the others, which only serve; one that ends by itself is replaced.

import cluster, { type Worker } from 'node:cluster'
import { join } from 'node:path'
import { KeyRing } from '../../access/keys.ts'
import { buildApplication } from '../../app/app.ts'
import type { Application, StartSettings } from '../../app/application.ts'
import { buildIndexes } from '../../app/setup/build-indexes.ts'
import { watchKeys } from '../../app/watch/watch-keys.ts'
import { systemClock } from '../../base/clock.ts'
import type { FolderHold } from '../../databases/driver.ts'
import { EMBEDDED } from '../../databases/open/drivers.ts'
import type { OfferedPerson } from '../../sessions/routes.ts'
import { FATAL_EXIT_CODE } from '../terminal/exit-codes.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { relayMetrics } from './cluster-metrics.ts'

/** Additional work of the demo command. */
export interface ServeExtras {
  /** Prepares records before the first request. */
  readonly prepare?: (application: Application) => Promise<void>
  /** Text to print on standard output once the service listens. */
  readonly greeting?: (address: string) => string
  /** Whom the page to sign in offers. */
  readonly offeredPerson?: OfferedPerson
}

/** The disk may have lost what was written: no process may go on. */
/** One that ends at once would end again. */
const REPLACE_AFTER_MS = 1_000

/** Message of a worker that has started to listen. */
export interface Listening {
  readonly listening: string
}

/** A worker sends `isLoaded` and waits for `isPrepared` from the primary process before it opens the store. */
interface Handshake {
  readonly isLoaded?: true
  readonly isPrepared?: true
}

/** Whether this process is a worker. */
export const isWorker = cluster.isWorker

/** In a worker the first process, which goes on only when this program is loaded. */
export const STARTED_BY = process.ppid

/** In a worker: resolves when it may open the store. */
export function waitUntilPrepared(): Promise<void> {
  return new Promise((resolve) => {
    const listener = ({ isPrepared }: Handshake) => {
      if (!isPrepared) return
      process.off('message', listener)
      resolve()
    }
    process.on('message', listener)
    process.send?.({ isLoaded: true } satisfies Handshake)
  })
}

/** Path of the keys, which the primary process rotates. */
export function keysOf({ data, keys }: Pick<StartSettings, 'data' | 'keys'>): string {
  return keys ?? join(data, 'keys.json')
}

/** Serves with `count` workers; resolves when all of them have ended. */
export async function serveByWorkers(
  settings: StartSettings,
  terminal: Terminal,
  count: number,
  extras: ServeExtras,
): Promise<void> {
  const { observe } = settings
  const stopping = new AbortController()
  let building: Promise<void> = Promise.resolve()
  // Started first: the workers load the program while this process migrates the store.
  const group = new WorkerGroup(count, terminal, (address) => {
    building = buildIndexes(settings, stopping.signal).catch((error: unknown) =>
      observe({ kind: 'store-warning', message: (error as Error).message }),
    )
    terminal.stdout.write(`listening on ${address}\n`)
    observe({ kind: 'listening', address })
    if (extras.greeting) terminal.stdout.write(extras.greeting(address))
  })
  let folder: FolderHold | undefined
  let stopKeys = (): void => {}
  let hasEndedCleanly = false
  try {
    await prepareOnce(settings, extras)
    if (settings.database === undefined) folder = EMBEDDED.hold(settings.data)
    folder?.checkUnlessTrusted(observe)
    if (settings.keys === undefined) stopKeys = await watchGeneratedKeys(settings)
    relayMetrics()
    group.admitAll()
    const stop = (signal: NodeJS.Signals): void => {
      observe({ kind: 'stopping', signal })
      stopping.abort()
      void folder?.stopCheck()
      group.stop(signal)
    }
    terminal.on('SIGTERM', stop)
    terminal.on('SIGINT', stop)
    await group.ended
    stopping.abort()
    await building
    hasEndedCleanly = terminal.exitCode === undefined
    observe({ kind: 'stopped' })
  } finally {
    group.kill()
    stopKeys()
    await folder?.release(hasEndedCleanly)
  }
}

/** Migrates the store, applies the setup and loads the demo data before any worker opens the store. */
async function prepareOnce(settings: StartSettings, { prepare }: ServeExtras): Promise<void> {
  const application: Application = await buildApplication(settings)
  try {
    await prepare?.(application)
  } finally {
    await application.stop(0)
  }
}

async function watchGeneratedKeys(settings: StartSettings): Promise<() => void> {
  return watchKeys(await KeyRing.managed(keysOf(settings), systemClock), true, settings.observe)
}

function admit(worker: Worker): void {
  if (worker.isConnected()) worker.send({ isPrepared: true } satisfies Handshake)
}

/** The worker processes. */
class WorkerGroup {
  readonly ended: Promise<void>
  readonly #count: number
  readonly #terminal: Terminal
  readonly #onReady: (address: string) => void
  readonly #listening = new Set<number>()
  readonly #waiting = new Set<Worker>()
  #isPrepared = false
  #isReady = false
  #isStopping = false
  #finish: (error?: Error) => void = () => {}

  constructor(count: number, terminal: Terminal, onReady: (address: string) => void) {
    this.#count = count
    this.#terminal = terminal
    this.#onReady = onReady
    this.ended = new Promise((resolve, reject) => {
      this.#finish = (error) => (error ? reject(error) : resolve())
    })
    for (let started = 0; started < count; started++) this.#start()
  }

  /** Lets the workers open the store, once it is up to date. */
  admitAll(): void {
    this.#isPrepared = true
    for (const worker of this.#waiting) admit(worker)
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
    worker.on('message', ({ isLoaded, listening }: Handshake & Partial<Listening>) => {
      if (isLoaded && this.#isPrepared) admit(worker)
      else if (isLoaded) this.#waiting.add(worker)
      if (listening === undefined) return
      this.#listening.add(worker.id)
      if (this.#isReady || this.#listening.size < this.#count) return
      this.#isReady = true
      this.#onReady(listening)
    })
    worker.once('exit', (code) => this.#onExit(code))
  }

  #onExit(code: number | null): void {
    if (this.#isStopping) {
      if (this.#workers.length === 0) this.#finish()
      return
    }
    // A worker that failed during startup, or must not continue, is not replaced.
    if (!this.#isReady || code === FATAL_EXIT_CODE) {
      this.kill()
      this.#terminal.exitCode = code === FATAL_EXIT_CODE ? FATAL_EXIT_CODE : 1
      this.#finish(code === FATAL_EXIT_CODE ? undefined : new Error(`a process that should serve ended with ${code}`))
      return
    }
    setTimeout(() => !this.#isStopping && this.#start(), REPLACE_AFTER_MS)
  }
}
