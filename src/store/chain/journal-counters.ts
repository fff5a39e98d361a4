// The journal counters of the companies that a transaction writes to. No other transaction changes them until the
// commit, so each counter is read once and written once, however many writes and entries there are.
import { getOrInsert } from '../../base/memo.ts'
import type { ChainHead } from './audit-chain.ts'

export interface Counter {
  lastEntry: number
  head: ChainHead
  journalBytes: number
  dictionaryAge: number
}

/** What a write changes of a counter besides its numbers. */
type JournalState = Pick<Counter, 'journalBytes' | 'dictionaryAge'>

export interface CounterTable {
  read(companyId: string): Counter
  write(companyId: string, counter: Counter): void
  /** Called when what was written is durable, before any caller is answered. */
  committed(companyId: string, lastEntry: number): void
}

export class JournalCounters {
  readonly #table: CounterTable
  /** The counters after the writes so far. Empty between transactions, when another process may write. */
  readonly #current = new Map<string, Counter>()
  /** The counters before the current write, of the companies that it has touched. */
  readonly #before = new Map<string, Counter>()
  /** The last entries of the companies whose counters the transaction has written. */
  readonly #written = new Map<string, number>()

  constructor(table: CounterTable) {
    this.#table = table
  }

  /**
   * Takes the next entry number of a company; also returns the end of its chain. Throws when the company has no
   * counter.
   */
  take(companyId: string): { entryNo: number; head: ChainHead } & JournalState {
    const counter = this.#touch(companyId)
    counter.lastEntry += 1
    const { lastEntry: entryNo, head, journalBytes, dictionaryAge } = counter
    return { entryNo, head, journalBytes, dictionaryAge }
  }

  moveHead(companyId: string, head: ChainHead, { journalBytes, dictionaryAge }: JournalState): void {
    Object.assign(this.#touch(companyId), { head, journalBytes, dictionaryAge })
  }

  /** The current write has succeeded. */
  acceptWrite(): void {
    this.#before.clear()
  }

  /** The current write was rolled back, and its numbers with it. */
  undoWrite(): void {
    for (const [companyId, counter] of this.#before) this.#current.set(companyId, counter)
    this.#before.clear()
  }

  /** Remembers the counters; the function that is returned restores them. */
  mark(): () => void {
    const marked = [...this.#current].map(([companyId, counter]) => [companyId, { ...counter }] as const)
    return () => {
      this.#current.clear()
      for (const [companyId, counter] of marked) this.#current.set(companyId, counter)
    }
  }

  /** Writes the counters. Called before the commit of the shared transaction. */
  flush(): void {
    for (const [companyId, counter] of this.#current) {
      this.#table.write(companyId, counter)
      this.#written.set(companyId, counter.lastEntry)
    }
    this.#forget()
  }

  /** The shared transaction is durable. */
  committed(): void {
    for (const [companyId, lastEntry] of this.#written) this.#table.committed(companyId, lastEntry)
    this.#written.clear()
  }

  /** A transaction has started or was rolled back. */
  reset(): void {
    this.#written.clear()
    this.#forget()
  }

  #forget(): void {
    this.#current.clear()
    this.#before.clear()
  }

  #touch(companyId: string): Counter {
    const counter = getOrInsert(this.#current, companyId, () => this.#table.read(companyId))
    if (!this.#before.has(companyId)) this.#before.set(companyId, { ...counter })
    return counter
  }
}
