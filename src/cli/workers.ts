// Several processes on one port and one store. The first brings everything up to date, holds the data folder, looks after
// the keys, and starts the others, which only serve; one that ends by itself is replaced.
import cluster, { type Worker } from 'node:cluster'
import { join } from 'node:path'
import { KeyRing } from '../access/keys.ts'
import { buildIndexes } from '../app/build-indexes.ts'
import { type Application, buildApplication, type StartSettings } from '../app.ts'
import { systemClock } from '../base/clock.ts'
import { HeldFolder } from '../store/dialects/sqlite/held-folder.ts'
import { passFiguresOn } from './gather-figures.ts'
import type { ServeExtras } from './serve.ts'

/** The disk may have lost what was written: no process may go on. */
const FATAL_EXIT_CODE = 70
/** One that ends at once would end again. */
const REPLACE_AFTER_MS = 1_000
const KEY_CHECK_MS = 30_000

/** What a worker tells once it serves. */
export interface Listening {
  readonly listening: string
}

/** A worker that has loaded the program asks whether it may open the store; the first process says so once it may. */
interface Handshake {
  readonly isLoaded?: true
  readonly isPrepared?: true
}

/** Whether this process is one that only serves. */
export const isWorker = cluster.isWorker

/** In a worker the first process, which goes on only when this program is loaded. */
export const STARTED_BY = process.ppid

/** In a worker: resolves when it may open the store. */
export function prepared(): Promise<void> {
  return new Promise((resolve) => {
    const hear = ({ isPrepared }: Handshake) => {
      if (!isPrepared) return
      process.off('message', hear)
      resolve()
    }
    process.on('message', hear)
    process.send?.({ isLoaded: true } satisfies Handshake)
  })
}

/** The keys that the first process looks after. */
export function keysOf({ data, keys }: Pick<StartSettings, 'data' | 'keys'>): string {
  return keys ?? join(data, 'keys.json')
}

/** Serves by so many processes; resolves when all of them have stopped in good order. */
export async function serveByWorkers(settings: StartSettings, count: number, extras: ServeExtras): Promise<void> {
  const { observe } = settings
  // They load the program while this process brings the store up to date.
  const stopping = new AbortController()
  let building: Promise<void> = Promise.resolve()
  const crew = new Crew(count, (address) => {
    building = buildIndexes(settings, stopping.signal).catch((error: unknown) =>
      observe({ kind: 'store-warning', message: (error as Error).message }),
    )
    process.stdout.write(`listening on ${address}\n`)
    observe({ kind: 'listening', address })
    if (extras.greeting) process.stdout.write(extras.greeting(address))
  })
  let folder: HeldFolder | undefined
  let stopKeys = (): void => {}
  let wasInGoodOrder = false
  try {
    await prepareOnce(settings, extras)
    if (settings.database === undefined) folder = new HeldFolder(settings.data)
    folder?.checkUnlessTrusted(observe)
    if (settings.keys === undefined) stopKeys = await watchOwnKeys(settings)
    passFiguresOn()
    crew.begin()
    const stop = (signal: NodeJS.Signals): void => {
      observe({ kind: 'stopping', signal })
      stopping.abort()
      void folder?.stopCheck()
      crew.stop(signal)
    }
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
    await crew.ended
    stopping.abort()
    await building
    wasInGoodOrder = process.exitCode === undefined
    observe({ kind: 'stopped' })
  } finally {
    crew.kill()
    stopKeys()
    await folder?.release(wasInGoodOrder)
  }
}

/** Migrations, the setup and the demo's data: nobody else may be at it. */
async function prepareOnce(settings: StartSettings, { prepare }: ServeExtras): Promise<void> {
  const application: Application = await buildApplication(settings)
  try {
    await prepare?.(application)
  } finally {
    await application.stop(0)
  }
}

async function watchOwnKeys(settings: StartSettings): Promise<() => void> {
  const keys = await KeyRing.keptIn(keysOf(settings), systemClock)
  const rotate = () => {
    keys.rotateWhenDue().then(
      (keyId) => keyId !== undefined && settings.observe({ kind: 'keys-rotated', keyId }),
      (error: unknown) =>
        settings.observe({ kind: 'store-warning', message: `the keys could not be rotated: ${error}` }),
    )
  }
  const timer = setInterval(rotate, KEY_CHECK_MS)
  return () => clearInterval(timer)
}

function admit(worker: Worker): void {
  if (worker.isConnected()) worker.send({ isPrepared: true } satisfies Handshake)
}

/** The processes that serve. */
class Crew {
  readonly ended: Promise<void>
  readonly #count: number
  readonly #onReady: (address: string) => void
  readonly #listening = new Set<number>()
  readonly #waiting = new Set<Worker>()
  #isPrepared = false
  #isReady = false
  #isStopping = false
  #finish: (error?: Error) => void = () => {}

  constructor(count: number, onReady: (address: string) => void) {
    this.#count = count
    this.#onReady = onReady
    this.ended = new Promise((resolve, reject) => {
      this.#finish = (error) => (error ? reject(error) : resolve())
    })
    for (let started = 0; started < count; started++) this.#start()
  }

  /** The store is up to date: they may open it. */
  begin(): void {
    this.#isPrepared = true
    for (const worker of this.#waiting) admit(worker)
  }

  /** Ends what is left of them at once. */
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
    // What cannot start, or must not go on, is not tried again.
    if (!this.#isReady || code === FATAL_EXIT_CODE) {
      this.kill()
      process.exitCode = code === FATAL_EXIT_CODE ? FATAL_EXIT_CODE : 1
      this.#finish(code === FATAL_EXIT_CODE ? undefined : new Error(`a process that should serve ended with ${code}`))
      return
    }
    setTimeout(() => !this.#isStopping && this.#start(), REPLACE_AFTER_MS)
  }
}
