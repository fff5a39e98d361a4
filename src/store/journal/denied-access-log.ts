// Refused access in the change log: kept in memory for a moment and written off the request's way, some at a time. Of a
// caller who is refused again and again only some are written for themselves; the rest is counted in one entry.
import type { Clock } from '../../base/clock.ts'
import type { Observe } from '../../observe/observation.ts'
import type { Actor, Store, Tx } from '../store.ts'
import { writeEntry } from './journal.ts'

export interface DeniedAccess extends Actor {
  /** The company that the caller belongs to: never the one that was asked for. */
  readonly companyId: string
  readonly method: string
  /** Without the query. */
  readonly path: string
}

/** How long a refusal waits for others that share its write. */
const WRITE_AFTER_MS = 1_000
/** The database is away or full. */
const RETRY_AFTER_MS = 10_000
/** Written for themselves, of one caller in a minute: a person's mistakes and a first look at an attack. */
const KEPT_A_MINUTE = 60
const MINUTE_MS = 60_000
/** About 1 MB; what comes while the database is away is counted. */
const MAX_WAITING = 2_000
/** Locks the company no longer than an ordinary write does. */
const WRITTEN_AT_ONCE = 200
/** More than any setup has clients; what others are refused is lost, and told. */
const MAX_CALLERS = 10_000

const REFUSED_ENTITY = 'access'

interface WaitingEntry {
  readonly actor: Actor
  readonly at: string
  readonly key: readonly string[]
  readonly after: string
}

/** What one caller was refused in this minute. */
interface Window {
  readonly refusal: DeniedAccess
  readonly endsAt: number
  kept: number
  /** Those beyond what is kept, and when the first and the last of them were. */
  left: number
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

  /** Takes note of a refusal; returns at once. */
  add(refusal: DeniedAccess): void {
    const now = this.#parts.clock()
    const window = this.#windowOf(refusal, now.getTime())
    if (!window) {
      this.#lost += 1
      return
    }
    const at = now.toISOString()
    if (window.kept < KEPT_A_MINUTE && this.#waitingCount < MAX_WAITING) {
      window.kept += 1
      this.#wait(refusal, { actor: refusal, at, key: [refusal.method, refusal.path.toWellFormed()], after: '' })
    } else {
      if (window.left === 0) window.from = at
      window.left += 1
      window.until = at
    }
    this.#timer ??= this.#writeLater()
  }

  /** Writes what waits, and of the minutes that are over what was only counted. */
  write(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#writeNow(false))
    return this.#writing
  }

  /** Writes everything, also of the minute that is not over, and takes note of nothing more. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#writing
    await this.#writeNow(true)
    this.#lost += this.#waitingCount
    this.#tellLost()
  }

  #windowOf(refusal: DeniedAccess, now: number): Window | undefined {
    const caller = JSON.stringify([refusal.companyId, refusal.userId, refusal.clientId])
    const known = this.#windows.get(caller)
    // A clock that was set back must not make a minute last for days.
    if (known && now < known.endsAt && now >= known.endsAt - MINUTE_MS) return known
    if (known) this.#close(caller, known)
    if (this.#windows.size >= MAX_CALLERS) return undefined
    const window = { refusal, endsAt: now + MINUTE_MS, kept: 0, left: 0, from: '', until: '' }
    this.#windows.set(caller, window)
    return window
  }

  /** What was only counted becomes one entry. */
  #close(caller: string, { refusal, left, from, until }: Window): void {
    this.#windows.delete(caller)
    if (left === 0) return
    const after = JSON.stringify({ refused: left, from, until })
    this.#wait(refusal, { actor: { ...refusal, requestId: '' }, at: until, key: ['more'], after })
  }

  #wait({ companyId }: DeniedAccess, entry: WaitingEntry): void {
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
        this.#parts.observe({ kind: 'store-warning', message: `refused access could not be written yet: ${error}` })
      }
    }
    this.#tellLost()
    if (isLast || this.#waitingCount + this.#windows.size === 0) return
    this.#timer ??= this.#writeLater(hasFailed ? RETRY_AFTER_MS : undefined)
  }

  /** Those of a company, the oldest first; what could not be written stays. */
  async #writeOf(companyId: string): Promise<void> {
    const waiting = this.#waiting.get(companyId) ?? []
    while (waiting.length > 0) {
      const entries = waiting.slice(0, WRITTEN_AT_ONCE)
      await this.#parts.store.write(companyId, entries[0]?.actor as Actor, (tx) => writeAll(tx, entries))
      waiting.splice(0, entries.length)
      this.#waitingCount -= entries.length
    }
    this.#waiting.delete(companyId)
  }

  #tellLost(): void {
    if (this.#lost === 0) return
    const message = `${this.#lost} refusals of access could not be written to the journal`
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
    await writeEntry(tx, { entity: REFUSED_ENTITY, key, operation: 'refused', before: '', after }, { actor, at })
  }
}
