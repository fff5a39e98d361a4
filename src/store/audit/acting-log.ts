// Administrators who see what a client sees, in the change log of each company whose records they read.

import type { Clock } from '../../base/clock.ts'
import { lastUsed } from '../../base/last-used.ts'
import type { Observe } from '../../observe/observation.ts'
import type { Actor, Store } from '../store.ts'
import { DelayedEntries } from './delayed-entries.ts'

const ACTING = 'acting'

/** One entry in so long for each person, client and company. */
const ENTRY_MS = 10 * 60_000
/** Where there are more, the longest unused are forgotten, and get another entry. */
const REMEMBERED = 1_000

export interface Acting extends Actor {
  readonly companyId: string
  /** The client that is looked through. */
  readonly actedAs: string
}

export interface ActingLogParts {
  readonly store: Store
  readonly clock: Clock
  readonly observe: Observe
  readonly writeAfterMs?: number | undefined
}

export class ActingLog {
  readonly #clock: Clock
  readonly #entries: DelayedEntries
  /** When each had its last entry. */
  readonly #told = lastUsed<string, number>(REMEMBERED)

  constructor({ clock, ...parts }: ActingLogParts) {
    this.#clock = clock
    this.#entries = new DelayedEntries({ ...parts, what: 'views through clients' })
  }

  /** Returns immediately. */
  add(acting: Acting): void {
    const now = this.#clock()
    const key = JSON.stringify([acting.companyId, acting.clientId, acting.actedAs])
    if (isWithin(ENTRY_MS, this.#told.get(key), now.getTime())) return
    if (this.#entries.isFull) {
      this.#entries.lose()
      return
    }
    this.#told.set(key, now.getTime())
    const change = { entity: ACTING, key: [acting.actedAs], operation: 'call', before: '', after: '' } as const
    this.#entries.add(acting.companyId, { actor: acting, at: now.toISOString(), change })
  }

  /** Writes the waiting entries. */
  write(): Promise<void> {
    return this.#entries.write()
  }

  /** Writes everything, and records nothing more. */
  stop(): Promise<void> {
    return this.#entries.stop()
  }
}

/** A clock that was set back must not hide anything. */
function isWithin(ms: number, before: number | undefined, now: number): boolean {
  return before !== undefined && now >= before && now - before < ms
}
