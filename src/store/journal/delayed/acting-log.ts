// Administrators who look through a client, in the change log of that client's company.
import type { Clock } from '../../../base/clock.ts'
import type { Observe } from '../../../observe/observation.ts'
import type { Actor, Store } from '../../store.ts'
import { DelayedEntries } from './delayed-entries.ts'

export const ACTING = 'acting'

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

  constructor({ clock, ...parts }: ActingLogParts) {
    this.#clock = clock
    this.#entries = new DelayedEntries({ ...parts, what: 'views through clients' })
  }

  /** Returns immediately. */
  add(acting: Acting): void {
    if (this.#entries.isFull) {
      this.#entries.lose()
      return
    }
    const change = { entity: ACTING, key: [acting.actedAs], operation: 'call', before: '', after: '' } as const
    this.#entries.add(acting.companyId, { actor: acting, at: this.#clock().toISOString(), change })
  }

  /** Writes everything, and records nothing more. */
  stop(): Promise<void> {
    return this.#entries.stop()
  }
}
