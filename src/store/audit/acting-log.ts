// Administrators who see what a client sees, in the change log of each company whose records they read.

import { lastUsed } from '../../base/last-used.ts'
import type { Actor } from '../store.ts'
import { DelayedEntries, type LogParts } from './delayed-entries.ts'

const ACTING = 'acting'

/** One entry in so long for each person, client and company. */
const ENTRY_MS = 10 * 60_000
/** Where there are more, the longest unused are forgotten, and get another entry. */
const REMEMBERED = 1_000

interface Acting extends Actor {
  readonly companyId: string
  /** The client that is looked through. */
  readonly actedAs: string
}

export class ActingLog extends DelayedEntries {
  /** When each had its last entry. */
  readonly #told = lastUsed<string, number>(REMEMBERED)

  constructor(parts: LogParts) {
    super(parts, 'views through clients')
  }

  /** Returns immediately. */
  add(acting: Acting): void {
    const now = this.clock()
    const key = JSON.stringify([acting.companyId, acting.clientId, acting.actedAs])
    if (isWithin(ENTRY_MS, this.#told.get(key), now.getTime())) return
    if (this.isFull) {
      this.lose()
      return
    }
    this.#told.set(key, now.getTime())
    const change = { entity: ACTING, key: [acting.actedAs], operation: 'call', before: '', after: '' } as const
    this.enqueue(acting.companyId, { actor: acting, at: now.toISOString(), change })
  }
}

/** A clock that was set back must not hide anything. */
function isWithin(ms: number, before: number | undefined, now: number): boolean {
  return before !== undefined && now >= before && now - before < ms
}
