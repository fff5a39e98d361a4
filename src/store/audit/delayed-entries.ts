// Entries of the change log that no write of records carries: collected in memory briefly and written in batches
// outside the request, each in the chain of its company.
import type { Clock } from '../../base/clock.ts'
import { getOrInsert } from '../../base/memo.ts'
import type { Observe } from '../../observe/observation.ts'
import { type LoggedChange, writeEntry } from '../journal/journal.ts'
import type { Actor, Store, Tx } from '../store.ts'

/** How long an entry waits for others to share its write. */
const WRITE_AFTER_MS = 1_000
/** The retry delay when the database is unavailable or full. */
const RETRY_AFTER_MS = 10_000
/** About 1 MB. */
const MAX_WAITING = 2_000
/** Such a batch locks the company no longer than an ordinary write. */
const BATCH_SIZE = 200

interface DelayedEntry {
  readonly actor: Actor
  readonly at: string
  readonly change: LoggedChange
}

export interface LogParts {
  readonly store: Store
  readonly clock: Clock
  readonly observe: Observe
  readonly writeAfterMs?: number | undefined
}

export class DelayedEntries {
  protected readonly clock: Clock
  readonly #parts: LogParts
  readonly #what: string
  readonly #waiting = new Map<string, DelayedEntry[]>()
  #count = 0
  #lost = 0
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  /** `what`: the entries in warnings, such as `denied accesses`. */
  constructor(parts: LogParts, what: string) {
    this.clock = parts.clock
    this.#parts = parts
    this.#what = what
  }

  /** Whether too many entries wait to take further ones, for example while the database is unavailable. */
  protected get isFull(): boolean {
    return this.#count >= MAX_WAITING
  }

  /** Returns immediately. */
  protected enqueue(companyId: string, entry: DelayedEntry): void {
    getOrInsert(this.#waiting, companyId, () => []).push(entry)
    this.#count += 1
    this.wake()
  }

  /** Makes sure that a write will come. */
  protected wake(): void {
    this.#timer ??= this.#writeLater()
  }

  /** Counts an entry that is left out; how many there were is reported with the next write. */
  protected lose(): void {
    this.#lost += 1
    this.wake()
  }

  /** Writes the waiting entries. */
  write(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#writeNow(false))
    return this.#writing
  }

  /** Writes everything, and takes nothing more. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#writing
    await this.#writeNow(true)
    this.#lost += this.#count
    this.#reportLost()
  }

  /** Adds what was only counted so far; all of it at the last write. Returns whether more is counted still. */
  protected gather(_isLast: boolean): boolean {
    return false
  }

  async #writeNow(isLast: boolean): Promise<void> {
    const hasMore = this.gather(isLast)
    clearTimeout(this.#timer)
    this.#timer = undefined
    let hasFailed = false
    for (const companyId of this.#waiting.keys()) {
      try {
        await this.#writeOf(companyId)
      } catch (error) {
        hasFailed = true
        this.#warn(`${this.#what} could not be written yet: ${error}`)
      }
    }
    this.#reportLost()
    if (isLast || (this.#count === 0 && !hasMore)) return
    this.#timer ??= this.#writeLater(hasFailed ? RETRY_AFTER_MS : undefined)
  }

  /** Writes the entries of a company, the oldest first. Entries that could not be written stay. */
  async #writeOf(companyId: string): Promise<void> {
    const waiting = this.#waiting.get(companyId) ?? []
    while (waiting.length > 0) {
      const entries = waiting.slice(0, BATCH_SIZE)
      await this.#parts.store.write(companyId, entries[0]?.actor as Actor, (tx) => writeAll(tx, entries))
      waiting.splice(0, entries.length)
      this.#count -= entries.length
    }
    this.#waiting.delete(companyId)
  }

  #reportLost(): void {
    if (this.#lost === 0) return
    this.#warn(`${this.#lost} ${this.#what} could not be written to the journal`)
    this.#lost = 0
  }

  #warn(message: string): void {
    this.#parts.observe({ kind: 'store-warning', message })
  }

  #writeLater(afterMs = this.#parts.writeAfterMs ?? WRITE_AFTER_MS): NodeJS.Timeout {
    const timer = setTimeout(() => void this.write(), afterMs)
    timer.unref()
    return timer
  }
}

async function writeAll(first: Tx, entries: readonly DelayedEntry[]): Promise<void> {
  for (const [index, { actor, at, change }] of entries.entries()) {
    const tx = index === 0 ? first : first.nextEntry()
    writeEntry(tx, change, { actor, at })
  }
}
