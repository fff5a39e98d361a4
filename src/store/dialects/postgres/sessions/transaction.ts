// A write in a session that has begun its transaction. Statements are sent as they come, without waiting for the ones
// before: the database runs them in their order, and refuses all after one that has failed.

import type { Expressions } from '../../../compile/expressions.ts'
import { type ChainHead, NewEntries } from '../../../journal/audit-chain.ts'
import { headOf, requireCounter, takeNumber, writeCounter } from '../../../journal/journal.ts'
import { type Counter, JournalCounters } from '../../../journal/journal-counters.ts'
import { type JournalMemory, WriteMemory } from '../../../journal/journal-memory.ts'
import { SharedState } from '../../../shared-state.ts'
import type { SqlValue, Statement } from '../../../statement.ts'
import type { Actor, CompiledQuery, RowTarget, Tx } from '../../../store.ts'
import { ChangedTables } from '../../../versions/changed-tables.ts'
import { tablesChangedBy } from '../../../versions/statement-tables.ts'
import { renewed, renewVersions } from '../../../versions/table-versions.ts'
import { columnArrays, findAdded, rowInsertText } from '../row-insert.ts'
import { compiledOf, countIn, execute, type Session } from './session.ts'

/** The statements of a transaction whose outcome nobody has asked for yet. */
export class Sent {
  #statements: Promise<unknown>[] = []

  add(statement: Promise<unknown>): void {
    statement.catch(() => {})
    this.#statements.push(statement)
  }

  /** Throws what the first one of them that failed was refused with. */
  async settle(): Promise<void> {
    const statements = this.#statements
    this.#statements = []
    for (const one of statements) await one
  }

  /** The outcome of one that came after them: where one of them has failed, that is why this one has. */
  async outcomeOf<T>(statement: Promise<T>): Promise<T> {
    try {
      return await statement
    } catch (error) {
      await this.settle()
      throw error
    }
  }
}

/** What the writes of a transaction have in common. */
export class Transaction {
  readonly session: Session
  readonly sent = new Sent()
  readonly shared: SharedState
  /** As the database has them, of the companies that are locked. */
  readonly #locked = new Map<string, Counter>()

  constructor(session: Session, memory: JournalMemory) {
    this.session = session
    const counters = new JournalCounters({
      read: (companyId) => this.#lockedCounter(companyId),
      write: (companyId, counter) => {
        this.#locked.set(companyId, counter)
        const { head, ...rest } = counter
        this.sent.add(execute(session, writeCounter, { companyId, ...rest, ...head }))
      },
    })
    const changed = new ChangedTables((companyId, tables) =>
      this.sent.add(execute(session, renewVersions, renewed(companyId, tables))),
    )
    this.shared = new SharedState(counters, changed, new WriteMemory(memory))
  }

  /** Keeps all other writes of a company out until the commit. */
  async lock(companyId: string): Promise<void> {
    if (this.#locked.has(companyId)) return
    const { rows } = await this.sent.outcomeOf(execute(this.session, takeNumber, { companyId }))
    const counter = requireCounter(rows[0], companyId)
    // The number that was taken is the first that is given.
    this.#locked.set(companyId, {
      lastEntry: counter.last_entry - 1,
      head: headOf(counter),
      journalBytes: counter.journal_bytes,
    })
  }

  /** Begins a write of a company that is locked. */
  begin(write: Pick<Tx, 'companyId' | 'actor' | 'at'>): Promise<Tx> {
    return new PostgresTx(this, write, new NewEntries(this.shared.memory)).nextEntry()
  }

  #lockedCounter(companyId: string): Counter {
    const counter = this.#locked.get(companyId)
    if (!counter) throw new Error(`company ${companyId} is not locked`)
    return counter
  }
}

class PostgresTx implements Tx {
  readonly companyId: string
  readonly actor: Actor
  readonly at: string
  readonly entries: NewEntries
  entryNo = 0
  readonly #transaction: Transaction
  readonly #session: Session
  readonly #sent: Sent

  constructor(transaction: Transaction, write: Pick<Tx, 'companyId' | 'actor' | 'at'>, entries: NewEntries) {
    this.#transaction = transaction
    this.#session = transaction.session
    this.#sent = transaction.sent
    this.companyId = write.companyId
    this.actor = write.actor
    this.at = write.at
    this.entries = entries
  }

  async nextEntry(): Promise<Tx> {
    const tx = new PostgresTx(this.#transaction, this, this.entries)
    const counter = this.#transaction.shared.counters.take(this.companyId)
    tx.entryNo = counter.entryNo
    tx.entries.begin(counter)
    return tx
  }

  moveHead(head: ChainHead): void {
    this.#transaction.shared.counters.moveHead(this.companyId, head, this.entries.journalBytes)
  }

  async first<P extends Record<string, SqlValue>, Row>(declared: Statement<P, Row>, values: P) {
    return (await this.#execute(declared, values)).rows[0] as Row | undefined
  }

  async all<P extends Record<string, SqlValue>, Row>(declared: Statement<P, Row>, values: P) {
    return (await this.#execute(declared, values)).rows as Row[]
  }

  count(compile: (engine: Expressions) => CompiledQuery): Promise<number> {
    return this.#sent.outcomeOf(countIn(this.#session, compile))
  }

  async insertRows(target: RowTarget, rows: readonly (readonly SqlValue[])[]): Promise<readonly boolean[]> {
    if (rows.length === 0) return []
    const text = rowInsertText(target)
    this.#transaction.shared.changed.add(this.companyId, tablesChangedBy(text))
    const values = [...columnArrays(target, rows), this.companyId, this.at, this.actor.userId]
    const added = await this.#sent.outcomeOf(this.#session.query(text, values))
    return findAdded(target, rows, added.rows)
  }

  send<P extends Record<string, SqlValue>>(declared: Statement<P, unknown>, values: P): void {
    this.#note(declared)
    this.#sent.add(execute(this.#session, declared, values))
  }

  async run<P extends Record<string, SqlValue>>(declared: Statement<P, unknown>, values: P) {
    return (await this.#execute(declared, values)).rowCount ?? 0
  }

  #execute<P extends Record<string, SqlValue>>(declared: Statement<P, unknown>, values: P) {
    this.#note(declared)
    return this.#sent.outcomeOf(execute(this.#session, declared, values))
  }

  #note(declared: Statement<never, unknown>): void {
    const { changes } = compiledOf(declared)
    if (changes.length > 0) this.#transaction.shared.changed.add(this.companyId, changes)
  }
}
