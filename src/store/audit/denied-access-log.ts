// Denied access in the change log: collected in memory briefly and written in batches outside the request. Of a caller
// that is denied repeatedly only some denials become entries; the others are counted in one entry.
import type { Actor } from '../store.ts'
import { DelayedEntries, type LogParts } from './delayed-entries.ts'

interface DeniedAccess extends Actor {
  /** The client that an administrator saw as. */
  readonly actedAs?: string | undefined
  /** The company that the caller belongs to, never the requested one. */
  readonly companyId: string
  readonly method: string
  /** The path without the query string. */
  readonly path: string
}

/**
 * The number of denials per caller and minute that become entries of their own: a person's mistakes and a first view of
 * an attack.
 */
const ENTRIES_PER_MINUTE = 60
const MINUTE_MS = 60_000
/** More than the clients of any setup. Denials of further callers are lost, and reported as such. */
const MAX_CALLERS = 10_000

const DENIED_ENTITY = 'access'

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

export class DeniedAccessLog extends DelayedEntries {
  readonly #windows = new Map<string, Window>()

  constructor(parts: LogParts) {
    super(parts, 'denied accesses')
  }

  /** Records a denial; returns immediately. */
  add(denial: DeniedAccess): void {
    const now = this.clock()
    const window = this.#windowOf(denial, now.getTime())
    if (!window) {
      this.lose()
      return
    }
    const at = now.toISOString()
    if (window.written < ENTRIES_PER_MINUTE && !this.isFull) {
      window.written += 1
      this.#note(denial, at, [denial.method, denial.path.toWellFormed()], toldOf(denial))
    } else {
      if (window.counted === 0) window.from = at
      window.counted += 1
      window.until = at
      this.wake()
    }
  }

  /** Adds the counts of minutes that are over; at the end that of the current one as well. */
  protected override gather(isLast: boolean): boolean {
    const now = this.clock().getTime()
    for (const [caller, window] of this.#windows) if (isLast || now >= window.endsAt) this.#close(caller, window)
    return this.#windows.size > 0
  }

  #windowOf(denial: DeniedAccess, now: number): Window | undefined {
    const caller = JSON.stringify([denial.companyId, denial.userId, denial.clientId, denial.actedAs])
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
    const after = toldOf(denial, { refused: counted, from, until })
    this.#note({ ...denial, requestId: '' }, until, ['more'], after)
  }

  #note(denial: DeniedAccess, at: string, key: readonly string[], after: string): void {
    const change = { entity: DENIED_ENTITY, key, operation: 'refused', before: '', after } as const
    this.enqueue(denial.companyId, { actor: denial, at, change })
  }
}

/** Empty if there is nothing to tell. */
function toldOf({ actedAs }: DeniedAccess, counts?: object): string {
  return actedAs === undefined && counts === undefined ? '' : JSON.stringify({ actedAs, ...counts })
}
