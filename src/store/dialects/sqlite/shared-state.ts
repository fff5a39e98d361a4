// What the writes of a shared transaction leave to its end, so that it is done once for all of them.
import type { ChangedTables } from '../../changed-tables.ts'
import type { JournalCounters } from '../../journal-counters.ts'
import type { WriteMemory } from '../../journal-memory.ts'
import type { WriteHooks } from './writer.ts'

export class SharedState implements WriteHooks {
  readonly counters: JournalCounters
  readonly changed: ChangedTables
  readonly memory: WriteMemory

  constructor(counters: JournalCounters, changed: ChangedTables, memory: WriteMemory) {
    this.counters = counters
    this.changed = changed
    this.memory = memory
  }

  keep(): void {
    this.counters.keep()
    this.changed.keep()
    this.memory.keep()
  }

  undo(): void {
    this.counters.undo()
    this.changed.undo()
    this.memory.undo()
  }

  flush(): void {
    this.counters.flush()
    this.changed.flush()
  }

  committed(): void {
    this.changed.committed()
    this.memory.committed()
  }

  forget(): void {
    this.counters.forget()
    this.changed.forget()
    this.memory.forget()
  }
}
