// A write in a session with an open transaction. Statements are pipelined without waiting for earlier ones: the
// database runs them in order and rejects all after a failed one.
import pg from 'pg'
import { lastDigit } from '../../../base/numbers/decimal.ts'
import type { ValueType } from '../../../model/document.ts'
import type { StoreMetrics } from '../../../observe/store-metrics.ts'
import { type Bindable, type Dialect, quote, type SqlValue } from '../../../sql/dialect.ts'
import type { CompiledQuery } from '../../../sql/rows/compiled-query.ts'
import type { CompiledStatement, Statement } from '../../../sql/statement.ts'
import { tablesChangedBy } from '../../../sql/statement-tables.ts'
import { CHANGE_COLUMN } from '../../../sql/tables.ts'
import { type ChainHead, NewEntries } from '../../../store/chain/audit-chain.ts'
import { type Counter, type CounterTable, JournalCounters } from '../../../store/chain/journal-counters.ts'
import { type JournalMemory, WriteMemory } from '../../../store/chain/journal-memory.ts'
import { headOf, requireCounter, takeNumber, writeCounter } from '../../../store/journal/journal.ts'
import { SharedState } from '../../../store/journal/shared-state.ts'
import { readAppliedSetup } from '../../../store/setup-version.ts'
import type { Actor, RowTarget, StateTx, Tx } from '../../../store/store.ts'
import { ChangedTables, renewed, renewVersions } from '../../../store/table-versions.ts'
import { arrayText } from './array-text.ts'
import { begin } from './company-transaction.ts'
import { CommitFailed, isFault } from './faults.ts'
import { PendingStatements } from './pending-statements.ts'
import { sendTogether } from './pipelined-query.ts'
import { compiledOf, countIn, execute, inTransactionOf, type Questions, type Session } from './session.ts'
import { rowInsertOf, WaitingRows } from './waiting-rows.ts'

/** The state that the writes of a transaction share. */
export class Transaction {
  readonly session: Session
  readonly questions: Questions
  readonly pending = new PendingStatements()
  readonly shared: SharedState
  readonly rows: WaitingRows
  /** Whether a statement was sent that may write, since this was set to false. */
  hasWritten = false
  /** The stored counters of the locked companies. */
  readonly #locked = new Map<string, Counter>()
  #setupVersion = 0

  constructor(session: Session, memory: JournalMemory, onCommitted: CounterTable['committed']) {
    this.session = session
    const questions = inTransactionOf(session)
    this.questions = questions
    this.rows = new WaitingRows((text, values) => {
      const name = session.statements.nameOf(text)
      this.pending.add(questions.query({ ...(name === undefined ? {} : { name }), text, values: [...values] }))
    })
    const counters = new JournalCounters({
      read: (companyId) => this.#lockedCounter(companyId),
      write: (companyId, counter) => {
        this.#locked.set(companyId, counter)
        const { head, ...rest } = counter
        this.pending.add(execute(questions, writeCounter, { companyId, ...rest, ...head }))
      },
      committed: onCommitted,
    })
    const changed = new ChangedTables((companyId, tables) =>
      this.pending.add(execute(questions, renewVersions, renewed(companyId, tables))),
    )
    this.shared = new SharedState(counters, changed, new WriteMemory(memory))
  }

  /** Writes what waits. */
  flush(): void {
    this.rows.flush()
    this.shared.flush()
  }

  /** Blocks all other writes of a company until the commit. */
  async lock(companyId: string): Promise<void> {
    if (this.#locked.has(companyId)) return
    const taken = execute(this.questions, takeNumber, { companyId })
    // Behind the lock: a setup that holds it has ended by then.
    const applied = execute(this.questions, readAppliedSetup, {})
    applied.catch(() => {})
    const { rows } = await this.pending.outcomeOf(taken)
    this.#setupVersion = (await this.pending.outcomeOf(applied)).rows[0]?.version ?? 0
    const counter = requireCounter(rows[0], companyId)
    // The number taken by the lock is the first one to be assigned.
    this.#locked.set(companyId, {
      lastEntry: counter.last_entry - 1,
      head: headOf(counter),
      journalBytes: counter.journal_bytes,
      dictionaryAge: counter.dictionary_age,
    })
  }

  /** The version of the setup that was applied last when a company was locked. */
  get setupVersion(): number {
    return this.#setupVersion
  }

  /** Starts a write of a locked company. */
  startWrite(write: Pick<Tx, 'companyId' | 'actor' | 'at'>): Tx {
    return new PostgresTx(this, write, new NewEntries(this.shared.memory)).nextEntry()
  }

  #lockedCounter(companyId: string): Counter {
    const counter = this.#locked.get(companyId)
    if (!counter) throw new Error(`company ${companyId} is not locked`)
    return counter
  }
}

/** Runs `work` in a transaction of the company and commits it. When `work` throws, everything is rolled back. */
export async function inTransaction<T>(
  transaction: Transaction,
  companyId: string,
  work: (transaction: Transaction) => Promise<T>,
  metrics: StoreMetrics,
): Promise<T> {
  const { session, pending } = transaction
  pending.add(begin(session, companyId))
  try {
    const result = await work(transaction)
    if (pending.fault) throw pending.fault
    await commit(transaction, metrics)
    return result
  } catch (error) {
    await session.query('rollback').catch(() => {})
    // What became of a commit nobody knows, whatever error its last statements have met with.
    throw error instanceof CommitFailed ? error : (pending.fault ?? error)
  }
}

/** The commit is pipelined after the statements still running: if one has failed, it acts as a rollback and says so. */
async function commit(transaction: Transaction, metrics: StoreMetrics): Promise<void> {
  const { session, pending, shared } = transaction
  const startedAt = performance.now()
  sendTogether(session)
  transaction.flush()
  const outcomes = await Promise.allSettled([pending.settle(), session.query('commit')])
  const [statements, committed] = outcomes
  if (statements.status === 'rejected' && statements.reason instanceof pg.DatabaseError) throw statements.reason
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') throw new CommitFailed('the commit failed', { cause: outcome.reason })
  }
  // Whoever asked may have met with an error of another write, and be answered.
  if (committed.status === 'fulfilled' && committed.value.command !== 'COMMIT') throw pending.failure
  shared.committed()
  metrics.addWrite('committing', performance.now() - startedAt)
}

export class PostgresStateTx implements StateTx {
  readonly companyId: string
  protected readonly transaction: Transaction

  constructor(transaction: Transaction, companyId: string) {
    this.transaction = transaction
    this.companyId = companyId
  }

  async first<P extends Record<string, Bindable>, Row>(declared: Statement<P, Row>, values: P) {
    return (await this.#execute(declared, values)).rows[0] as Row | undefined
  }

  async all<P extends Record<string, Bindable>, Row>(declared: Statement<P, Row>, values: P) {
    return (await this.#execute(declared, values)).rows as Row[]
  }

  count(compile: (dialect: Dialect) => CompiledQuery): Promise<number> {
    this.transaction.rows.flush()
    return this.transaction.pending.outcomeOf(countIn(this.transaction.questions, compile))
  }

  send<P extends Record<string, Bindable>>(declared: Statement<P, unknown>, values: P): void {
    const { rows, pending, questions } = this.transaction
    const compiled = compiledOf(declared)
    this.#note(compiled)
    const insert = rowInsertOf(compiled)
    if (insert) {
      rows.add(
        insert,
        compiled.names.map((name) => values[name] as Bindable),
      )
      return
    }
    rows.flush(compiled.text)
    pending.add(execute(questions, declared, values))
  }

  async run<P extends Record<string, Bindable>>(declared: Statement<P, unknown>, values: P) {
    return (await this.#execute(declared, values)).rowCount ?? 0
  }

  #execute<P extends Record<string, Bindable>>(declared: Statement<P, unknown>, values: P) {
    const { rows, pending, session, questions } = this.transaction
    const compiled = compiledOf(declared)
    this.#note(compiled)
    rows.flush(compiled.text)
    if (!declared.isInOrderOfIndex) return pending.outcomeOf(execute(questions, declared, values))
    pending.add(session.query('set local enable_sort = off'))
    const found = execute(questions, declared, values)
    pending.add(session.query('set local enable_sort = on'))
    return pending.outcomeOf(found)
  }

  #note({ changes, onlyReads }: CompiledStatement): void {
    if (!onlyReads) this.transaction.hasWritten = true
    if (changes.length > 0) this.transaction.shared.changed.add(this.companyId, changes)
  }
}

class PostgresTx extends PostgresStateTx implements Tx {
  readonly actor: Actor
  readonly at: string
  readonly entries: NewEntries
  entryNo = 0

  constructor(transaction: Transaction, write: Pick<Tx, 'companyId' | 'actor' | 'at'>, entries: NewEntries) {
    super(transaction, write.companyId)
    this.actor = write.actor
    this.at = write.at
    this.entries = entries
  }

  get setupVersion(): number {
    return this.transaction.setupVersion
  }

  nextEntry(): Tx {
    const tx = new PostgresTx(this.transaction, this, this.entries)
    const counter = this.transaction.shared.counters.take(this.companyId)
    tx.entryNo = counter.entryNo
    tx.entries.start(counter)
    return tx
  }

  moveHead(head: ChainHead): void {
    this.transaction.shared.counters.moveHead(this.companyId, head, this.entries)
  }

  async insertRows(target: RowTarget, rows: readonly (readonly SqlValue[])[]): Promise<readonly boolean[]> {
    if (rows.length === 0) return []
    const text = rowInsertText(target)
    const { shared, rows: waiting, pending, session } = this.transaction
    this.transaction.hasWritten = true
    waiting.flush(text)
    shared.changed.add(this.companyId, tablesChangedBy(text))
    const values = [...columnArrays(target, rows), this.companyId, this.at, this.actor.userId, this.entryNo]
    const added = await pending.outcomeOf(session.query(text, values))
    return findInserted(target, rows, added.rows)
  }
}

const ARRAYS: Readonly<Record<ValueType, string>> = {
  string: 'text[]',
  'date-time': 'text[]',
  integer: 'bigint[]',
  boolean: 'bigint[]',
  number: 'double precision[]',
  decimal: 'bigint[]',
  exact: 'numeric[]',
}

/**
 * Inserts many rows with one statement, whose text does not depend on their number. Its parameters are one array per
 * column, then the company, the time, the user and the entry. It returns the keys of the inserted rows.
 */
export function rowInsertText({ table, columns, key }: RowTarget): string {
  const names = columns.map(({ name }) => quote(name)).join(', ')
  const arrays = columns.map(({ type }, at) => `$${at + 1}::${ARRAYS[type]}`).join(', ')
  const stamp = [1, 2, 3, 4].map((position) => `$${columns.length + position}`).join(', ')
  const values = columns.map(({ type, scale = 0 }, at) =>
    type === 'decimal' ? `r.c${at + 1} * ${lastDigit(scale)}` : `r.c${at + 1}`,
  )
  const aliases = columns.map((_column, at) => `c${at + 1}`).join(', ')
  return `insert into ${quote(table)} (${names}, company_id, updated_at, updated_by, ${CHANGE_COLUMN})
    select ${values.join(', ')}, ${stamp} from unnest(${arrays}) r(${aliases}) on conflict do nothing returning ${key.map(quote).join(', ')}`
}

/** The rows as one array per column. */
function columnArrays({ columns }: RowTarget, rows: readonly (readonly SqlValue[])[]): string[] {
  return columns.map((_column, at) => arrayText(rows.map((row) => row[at]!)))
}

/** Which of the rows were inserted, by the returned keys; of two rows with the same key, the first one was. */
function findInserted(
  { columns, key }: RowTarget,
  rows: readonly (readonly SqlValue[])[],
  added: readonly Readonly<Record<string, SqlValue>>[],
): boolean[] {
  const remainingKeys = new Set(added.map((row) => JSON.stringify(key.map((name) => row[name]))))
  const positions = key.map((name) => columns.findIndex((column) => column.name === name))
  return rows.map((row) => remainingKeys.delete(JSON.stringify(positions.map((position) => row[position]))))
}

/** Runs `work`; its rejection rolls back what it has done. Rethrows every error. */
export async function inSavepoint<T>(
  transaction: Transaction,
  name: string,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const { session, pending, rows } = transaction
  rows.flush()
  pending.add(session.query(`savepoint ${name}`))
  try {
    const value = await work(transaction)
    pending.add(session.query(`release ${name}`))
    return value
  } catch (error) {
    rows.drop()
    // If an earlier part has caused the error, this savepoint does not exist, and all parts fail at the commit.
    if (!isFault(error)) pending.add(session.query(`rollback to ${name}; release ${name}`))
    throw error
  }
}
