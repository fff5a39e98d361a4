// The journal counters of the companies that a transaction writes in. No other transaction writes in them until the
// commit, so each counter is read once and written back once, however many writes and entries there are.
import type { ChainHead } from './audit-chain.ts'

export interface Counter {
  lastEntry: number
  head: ChainHead
  journalBytes: number
}

export interface CounterTable {
  read(companyId: string): Counter
  write(companyId: string, counter: Counter): void
}

export class JournalCounters {
  readonly #table: CounterTable
  /** As the writes so far have left them; nothing between transactions, when another process may write. */
  readonly #current = new Map<string, Counter>()
  /** As they were before the write at hand, of the companies that it has touched. */
  readonly #before = new Map<string, Counter>()

  constructor(table: CounterTable) {
    this.#table = table
  }

  /** The next entry number of a company and the end of its chain. Throws when the company has no counter. */
  take(companyId: string): { entryNo: number; head: ChainHead; journalBytes: number } {
    const counter = this.#touch(companyId)
    counter.lastEntry += 1
    return { entryNo: counter.lastEntry, head: counter.head, journalBytes: counter.journalBytes }
  }

  moveHead(companyId: string, head: ChainHead, journalBytes: number): void {
    Object.assign(this.#touch(companyId), { head, journalBytes })
  }

  /** The write at hand has succeeded. */
  keep(): void {
    this.#before.clear()
  }

  /** The write at hand was undone, its numbers with it. */
  undo(): void {
    for (const [companyId, counter] of this.#before) this.#current.set(companyId, counter)
    this.#before.clear()
  }

  /** Before the commit of the shared transaction. */
  flush(): void {
    for (const [companyId, counter] of this.#current) this.#table.write(companyId, counter)
    this.forget()
  }

  /** When a transaction begins, or was rolled back. */
  forget(): void {
    this.#current.clear()
    this.#before.clear()
  }

  #touch(companyId: string): Counter {
    let counter = this.#current.get(companyId)
    if (!counter) {
      counter = this.#table.read(companyId)
      this.#current.set(companyId, counter)
    }
    if (!this.#before.has(companyId)) this.#before.set(companyId, { ...counter })
    return counter
  }
}
