// What the writes of a shared transaction leave to its end, so that it is done once for all of them.

import type { JournalCounters } from './journal/journal-counters.ts'
import type { WriteMemory } from './journal/journal-memory.ts'
import type { ChangedTables } from './versions/changed-tables.ts'

export class SharedState {
  readonly counters: JournalCounters
  readonly changed: ChangedTables
  readonly memory: WriteMemory

  constructor(counters: JournalCounters, changed: ChangedTables, memory: WriteMemory) {
    this.counters = counters
    this.changed = changed
    this.memory = memory
  }

  /** The write at hand has succeeded. */
  keep(): void {
    this.counters.keep()
    this.changed.keep()
    this.memory.keep()
  }

  /** The write at hand was refused and undone. */
  undo(): void {
    this.counters.undo()
    this.changed.undo()
    this.memory.undo()
  }

  /** Before the commit, and before a session of PostgreSQL is bound to another company. */
  flush(): void {
    this.counters.flush()
    this.changed.flush()
  }

  /** The transaction is on disk, and nobody has been answered yet. */
  committed(): void {
    this.changed.committed()
    this.memory.committed()
  }

  /** The transaction has begun, or was rolled back. */
  forget(): void {
    this.counters.forget()
    this.changed.forget()
    this.memory.forget()
  }
}
