// The state that the writes of a shared transaction accumulate, so that it is written once for all of them before the
// commit.

import type { JournalCounters } from '../chain/journal-counters.ts'
import type { WriteMemory } from '../chain/journal-memory.ts'
import type { ChangedTables } from '../table-versions.ts'

export class SharedState {
  readonly counters: JournalCounters
  readonly changed: ChangedTables
  readonly memory: WriteMemory
  /** As the transaction has read it: nobody else changes it meanwhile. */
  setupVersion: number | undefined

  constructor(counters: JournalCounters, changed: ChangedTables, memory: WriteMemory) {
    this.counters = counters
    this.changed = changed
    this.memory = memory
  }

  /** The current write has succeeded. */
  acceptWrite(): void {
    this.counters.acceptWrite()
    this.changed.acceptWrite()
    this.memory.acceptWrite()
  }

  /** The current write was rejected and rolled back. */
  undoWrite(): void {
    this.counters.undoWrite()
    this.changed.undoWrite()
    this.memory.undoWrite()
  }

  /** Remembers the state before a part of the current write; the function that is returned restores it. */
  mark(): () => void {
    const restore = [this.counters.mark(), this.memory.mark()]
    // A table that was not changed after all gets a new version, which does no harm.
    return () => {
      for (const one of restore) one()
    }
  }

  /**
   * Writes the accumulated state. Called before the commit, and before a PostgreSQL session is bound to another
   * company.
   */
  flush(): void {
    this.counters.flush()
    this.changed.flush()
  }

  /** The transaction is durable; no caller has been answered yet. */
  committed(): void {
    this.changed.committed()
    this.memory.committed()
    this.counters.committed()
  }

  /** The transaction has started or was rolled back. */
  reset(): void {
    this.counters.reset()
    this.changed.reset()
    this.memory.reset()
    this.setupVersion = undefined
  }
}
