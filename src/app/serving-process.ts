// Tells all who share a store which setup is in force in this process, from before it listens until it ends.
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { isProcessAlive } from '../base/process/processes.ts'
import type { StoreSettings } from '../databases/driver.ts'
import { Problem } from '../errors/problem.ts'
import { listServingProcesses, putServingProcess, removeServingProcess } from '../store/service-state/serving-store.ts'
import { findSetupVersion } from '../store/setup-version.ts'
import type { Store } from '../store/store.ts'

/** On a shared database other machines cannot see whether this process lives. */
const BEAT_MS = 2_000

export class ServingProcess {
  readonly #store: Store
  readonly #isShared: boolean
  readonly #id = randomUUID()
  #version: number | undefined
  #timer: NodeJS.Timeout | undefined

  private constructor(store: Store, isShared: boolean) {
    this.#store = store
    this.#isShared = isShared
  }

  static async on(store: Store, { database, isWorker }: Pick<StoreSettings, 'database' | 'isWorker'>) {
    const isShared = database !== undefined
    // Those of an earlier service, whose numbers others may have by now: this process holds the folder.
    const ended = isShared || isWorker ? [] : await listServingProcesses(store)
    // On a full disk they stay: a setup finds out by itself that they have ended.
    for (const { process_id } of ended) await removeServingProcess(store, process_id).catch(requireProblem)
    return new ServingProcess(store, isShared)
  }

  /** From now on a setup waits for this process. `load` loads one that was applied just before. */
  async join(load: () => Promise<void>): Promise<void> {
    this.#version = -1
    await this.#tell()
    await load()
    if (this.#isShared) this.#beat()
  }

  /** Called when a setup is in force in this process. */
  async report(version: number): Promise<void> {
    if (this.#version === undefined || this.#version === version) return
    this.#version = version
    await this.#tell()
  }

  /** Tells again and again: on a shared database that this process lives, and after a full disk that it is there. */
  #beat(): void {
    this.#timer ??= setInterval(() => void this.#tell(), BEAT_MS).unref()
  }

  async leave(): Promise<void> {
    this.#rest()
    // A setup finds out by itself that a process has gone.
    if (this.#version !== undefined) await removeServingProcess(this.#store, this.#id).catch(() => {})
    this.#version = undefined
  }

  /** While the store takes no writes, this is tried again; the requests that need it report it. */
  async #tell(): Promise<void> {
    const [host, version] = [hostname(), this.#version]
    if (version === undefined) return
    const row = { process_id: this.#id, host, pid: process.pid, setup_version: version, seen_at: Date.now() }
    try {
      await putServingProcess(this.#store, row)
      if (!this.#isShared) this.#rest()
    } catch (thrown) {
      requireProblem(thrown)
      this.#beat()
    }
  }

  #rest(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

/** The store takes no writes now; anything else is an error of this program. */
function requireProblem(thrown: unknown): void {
  if (!(thrown instanceof Problem)) throw thrown
}

const ASK_MS = 50
/** A process loads a setup within a fraction of this. */
const MAX_WAIT_MS = 15_000
/** A process of a shared database that has told nothing for so long has ended. */
const GONE_AFTER_MS = 12_000

/** Returns those in which the setup is not in force yet, as `process 123 on host`. */
export async function untilInForce(store: Store, isShared: boolean): Promise<readonly string[]> {
  const version = await findSetupVersion(store.reading(''))
  const giveUpAt = performance.now() + MAX_WAIT_MS
  for (;;) {
    const late = (await livingProcesses(store, isShared))
      .filter(({ setup_version }) => Number(setup_version) < version)
      .map(({ host, pid }) => `process ${pid} on ${host}`)
    if (late.length === 0 || performance.now() > giveUpAt) return late
    await delay(ASK_MS)
  }
}

/** The processes that serve a store. Those that have ended without a word are removed from its table. */
export async function livingProcesses(store: Store, isShared: boolean) {
  const living: Awaited<ReturnType<typeof listServingProcesses>>[number][] = []
  for (const one of await listServingProcesses(store)) {
    // The processes of another container on the same folder cannot be seen.
    const isHere = one.host === hostname()
    const isAlive = isShared
      ? Date.now() - Number(one.seen_at) < GONE_AFTER_MS
      : !isHere || isProcessAlive(Number(one.pid))
    if (isAlive) living.push(one)
    else await removeServingProcess(store, one.process_id)
  }
  return living
}
