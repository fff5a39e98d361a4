// A data folder with a running service, for tests that kill or disturb the service repeatedly and continue on the same
// folder.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { vi } from 'vitest'
import { readIntegrity } from '../../../../src/databases/sqlite/file/integrity-record.ts'
import { call, type Ended, kill, run, type Serving, serve, temporaryFolder } from '../../../support/process.ts'
import { staged } from '../content-files.ts'
import { ONE_POOL_THREAD } from './strace.ts'
import { type Attempt, attempt, faultsOf, foundOf, makeBase, type WriteKind } from './writes.ts'

/** It is a small database, on a machine that may be busy. */
const CHECK_MS = 120_000

export class Archive {
  readonly #place = temporaryFolder()
  readonly folder = join(this.#place.path, 'data')
  #service: Serving | undefined
  #base = ''
  #count = 0

  /** Applies the setup and starts the service. */
  async open(): Promise<void> {
    mkdirSync(this.folder)
    // The ballast would take longer than everything else.
    writeFileSync(join(this.folder, 'ballast'), '')
    await this.start(['--setup', 'test/fixtures/documents.yaml'])
    this.#base = await makeBase(this.address)
  }

  /** Waits for what the service does by itself after a bad end: whoever writes then finds no calls but those of the writes. */
  async start(more: readonly string[] = []): Promise<void> {
    this.#service = await serve(['--data', this.folder, ...more], { environment: ONE_POOL_THREAD })
    await vi.waitUntil(() => !readIntegrity(this.folder).isChecking, { timeout: CHECK_MS })
    // The same thread notes that the check has ended.
    await call(`${this.address}/health/live`)
  }

  get address(): string {
    return this.#running.address
  }

  get pid(): number {
    return this.#running.child.pid ?? 0
  }

  /** Resolves with the exit of the service. */
  get ended(): Promise<Ended> {
    return this.#running.ended
  }

  get isRunning(): boolean {
    const { exitCode, signalCode } = this.#running.child
    return exitCode === null && signalCode === null
  }

  kill(): Promise<Ended> {
    return kill(this.#running)
  }

  /** Sends a write with a new name. */
  attempt(kind: WriteKind): Promise<Attempt> {
    return attempt(this.address, kind, this.#base, `W${this.#count++}`)
  }

  /** `all`, `nothing`, or the part of the write that is stored. */
  found(write: Attempt): Promise<string> {
    return foundOf(this.address, this.folder, write)
  }

  faults(): string[] {
    return faultsOf(this.folder)
  }

  /** The files that are left over where contents are received. */
  staged(): string[] {
    return staged(join(this.folder, 'files'))
  }

  /** Stops the service and runs `files check`. */
  async check(): Promise<{ code: number | null; stdout: string }> {
    await this.kill()
    const { code, stdout, stderr } = await run(['files', 'check', '--data', this.folder])
    if (stdout === '') throw new Error(stderr)
    return { code, stdout }
  }

  async close(): Promise<void> {
    if (this.#service) await this.kill()
    this.#place.remove()
  }

  get #running(): Serving {
    if (!this.#service) throw new Error('the service was not started')
    return this.#service
  }
}

/** The output of `check` when every content is present and intact. */
export const SOUND = /^[\d,]+ files? read: 0 missing, 0 damaged; /
