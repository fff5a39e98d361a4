// Entries of the change log that no write of records carries: collected in memory briefly and written in batches
// outside the request, each in the chain of its company.
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

export interface DelayedEntry {
  readonly actor: Actor
  readonly at: string
  readonly change: LoggedChange
}

export interface DelayedEntriesParts {
  readonly store: Store
  readonly observe: Observe
  /** In warnings, such as `denied accesses`. */
  readonly what: string
  readonly writeAfterMs?: number | undefined
  /** Adds what was only counted so far; all of it at the last write. Returns whether more is counted still. */
  readonly gather?: ((isLast: boolean) => boolean) | undefined
}

export class DelayedEntries {
  readonly #parts: DelayedEntriesParts
  readonly #waiting = new Map<string, DelayedEntry[]>()
  #count = 0
  #lost = 0
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(parts: DelayedEntriesParts) {
    this.#parts = parts
  }

  /** Whether too many entries wait to take further ones, for example while the database is unavailable. */
  get isFull(): boolean {
    return this.#count >= MAX_WAITING
  }

  /** Returns immediately. */
  add(companyId: string, entry: DelayedEntry): void {
    const waiting = this.#waiting.get(companyId)
    if (waiting) waiting.push(entry)
    else this.#waiting.set(companyId, [entry])
    this.#count += 1
    this.wake()
  }

  /** Makes sure that a write will come. */
  wake(): void {
    this.#timer ??= this.#writeLater()
  }

  /** Counts an entry that is left out; how many there were is reported with the next write. */
  lose(): void {
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

  async #writeNow(isLast: boolean): Promise<void> {
    const { what, observe, gather } = this.#parts
    const hasMore = gather?.(isLast) ?? false
    clearTimeout(this.#timer)
    this.#timer = undefined
    let hasFailed = false
    for (const companyId of this.#waiting.keys()) {
      try {
        await this.#writeOf(companyId)
      } catch (error) {
        hasFailed = true
        observe({ kind: 'store-warning', message: `${what} could not be written yet: ${error}` })
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
    const message = `${this.#lost} ${this.#parts.what} could not be written to the journal`
    this.#parts.observe({ kind: 'store-warning', message })
    this.#lost = 0
  }

  #writeLater(afterMs = this.#parts.writeAfterMs ?? WRITE_AFTER_MS): NodeJS.Timeout {
    const timer = setTimeout(() => void this.write(), afterMs)
    timer.unref()
    return timer
  }
}

async function writeAll(first: Tx, entries: readonly DelayedEntry[]): Promise<void> {
  for (const [index, { actor, at, change }] of entries.entries()) {
    const tx = index === 0 ? first : await first.nextEntry()
    await writeEntry(tx, change, { actor, at })
  }
}
