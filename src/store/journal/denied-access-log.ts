// Denied access in the change log: collected in memory briefly and written in batches outside the request. Of a caller
// that is denied repeatedly only some denials become entries; the others are counted in one entry.
import type { Clock } from '../../base/clock.ts'
import type { Observe } from '../../observe/observation.ts'
import type { Actor, Store, Tx } from '../store.ts'
import { writeEntry } from './journal.ts'

export interface DeniedAccess extends Actor {
  /** The company that the caller belongs to, never the requested one. */
  readonly companyId: string
  readonly method: string
  /** The path without the query string. */
  readonly path: string
}

/** How long a denial waits for others to share its write. */
const WRITE_AFTER_MS = 1_000
/** The retry delay when the database is unavailable or full. */
const RETRY_AFTER_MS = 10_000
/**
 * The number of denials per caller and minute that become entries of their own: a person's mistakes and a first view of
 * an attack.
 */
const ENTRIES_PER_MINUTE = 60
const MINUTE_MS = 60_000
/** About 1 MB. Further denials are only counted, for example while the database is unavailable. */
const MAX_WAITING = 2_000
/** Such a batch locks the company no longer than an ordinary write. */
const BATCH_SIZE = 200
/** More than the clients of any setup. Denials of further callers are lost, and reported as such. */
const MAX_CALLERS = 10_000

const DENIED_ENTITY = 'access'

interface WaitingEntry {
  readonly actor: Actor
  readonly at: string
  readonly key: readonly string[]
  readonly after: string
}

/** The denials of one caller in the current minute. */
interface Window {
  readonly denial: DeniedAccess
  readonly endsAt: number
  written: number
  /** Denials that are only counted, with the times of the first and the last one. */
  counted: number
  from: string
  until: string
}

export interface DeniedAccessLogParts {
  readonly store: Store
  readonly clock: Clock
  readonly observe: Observe
  readonly writeAfterMs?: number | undefined
}

export class DeniedAccessLog {
  readonly #parts: DeniedAccessLogParts
  readonly #waiting = new Map<string, WaitingEntry[]>()
  readonly #windows = new Map<string, Window>()
  #waitingCount = 0
  #lost = 0
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(parts: DeniedAccessLogParts) {
    this.#parts = parts
  }

  /** Records a denial; returns immediately. */
  add(denial: DeniedAccess): void {
    const now = this.#parts.clock()
    const window = this.#windowOf(denial, now.getTime())
    if (!window) {
      this.#lost += 1
      return
    }
    const at = now.toISOString()
    if (window.written < ENTRIES_PER_MINUTE && this.#waitingCount < MAX_WAITING) {
      window.written += 1
      this.#enqueue(denial, { actor: denial, at, key: [denial.method, denial.path.toWellFormed()], after: '' })
    } else {
      if (window.counted === 0) window.from = at
      window.counted += 1
      window.until = at
    }
    this.#timer ??= this.#writeLater()
  }

  /** Writes the waiting entries, and the counts of minutes that are over. */
  write(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#writeNow(false))
    return this.#writing
  }

  /** Writes everything, including the current minute, and records nothing more. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#writing
    await this.#writeNow(true)
    this.#lost += this.#waitingCount
    this.#reportLost()
  }

  #windowOf(denial: DeniedAccess, now: number): Window | undefined {
    const caller = JSON.stringify([denial.companyId, denial.userId, denial.clientId])
    const known = this.#windows.get(caller)
    // A clock that was set back must not extend a minute to days.
    if (known && now < known.endsAt && now >= known.endsAt - MINUTE_MS) return known
    if (known) this.#close(caller, known)
    if (this.#windows.size >= MAX_CALLERS) return undefined
    const window = { denial, endsAt: now + MINUTE_MS, written: 0, counted: 0, from: '', until: '' }
    this.#windows.set(caller, window)
    return window
  }

  /** Turns the denials that were only counted into one entry. */
  #close(caller: string, { denial, counted, from, until }: Window): void {
    this.#windows.delete(caller)
    if (counted === 0) return
    const after = JSON.stringify({ refused: counted, from, until })
    this.#enqueue(denial, { actor: { ...denial, requestId: '' }, at: until, key: ['more'], after })
  }

  #enqueue({ companyId }: DeniedAccess, entry: WaitingEntry): void {
    const waiting = this.#waiting.get(companyId)
    if (waiting) waiting.push(entry)
    else this.#waiting.set(companyId, [entry])
    this.#waitingCount += 1
  }

  async #writeNow(isLast: boolean): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const now = this.#parts.clock().getTime()
    for (const [caller, window] of this.#windows) if (isLast || now >= window.endsAt) this.#close(caller, window)
    let hasFailed = false
    for (const companyId of this.#waiting.keys()) {
      try {
        await this.#writeOf(companyId)
      } catch (error) {
        hasFailed = true
        this.#parts.observe({ kind: 'store-warning', message: `denied access could not be written yet: ${error}` })
      }
    }
    this.#reportLost()
    if (isLast || this.#waitingCount + this.#windows.size === 0) return
    this.#timer ??= this.#writeLater(hasFailed ? RETRY_AFTER_MS : undefined)
  }

  /** Writes the entries of a company, the oldest first. Entries that could not be written stay. */
  async #writeOf(companyId: string): Promise<void> {
    const waiting = this.#waiting.get(companyId) ?? []
    while (waiting.length > 0) {
      const entries = waiting.slice(0, BATCH_SIZE)
      await this.#parts.store.write(companyId, entries[0]?.actor as Actor, (tx) => writeAll(tx, entries))
      waiting.splice(0, entries.length)
      this.#waitingCount -= entries.length
    }
    this.#waiting.delete(companyId)
  }

  #reportLost(): void {
    if (this.#lost === 0) return
    const message = `${this.#lost} denied accesses could not be written to the journal`
    this.#parts.observe({ kind: 'store-warning', message })
    this.#lost = 0
  }

  #writeLater(afterMs = this.#parts.writeAfterMs ?? WRITE_AFTER_MS): NodeJS.Timeout {
    const timer = setTimeout(() => void this.write(), afterMs)
    timer.unref()
    return timer
  }
}

async function writeAll(first: Tx, entries: readonly WaitingEntry[]): Promise<void> {
  for (const [index, { actor, at, key, after }] of entries.entries()) {
    const tx = index === 0 ? first : await first.nextEntry()
    await writeEntry(tx, { entity: DENIED_ENTITY, key, operation: 'refused', before: '', after }, { actor, at })
  }
}
