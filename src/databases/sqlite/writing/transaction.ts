// Reads and writes on a session. The writes of a batch share one transaction and its state.

import type { Bindable, Dialect, SqlValue } from '../../../sql/dialect.ts'
import type { CompiledQuery } from '../../../sql/rows/compiled-query.ts'
import type { Statement } from '../../../sql/statement.ts'
import type { ChainHead, NewEntries } from '../../../store/chain/audit-chain.ts'
import { type CounterTable, JournalCounters } from '../../../store/chain/journal-counters.ts'
import { JournalMemory, WriteMemory } from '../../../store/chain/journal-memory.ts'
import { headOf, readCounter, requireCounter, writeCounter } from '../../../store/journal/journal.ts'
import { SharedState } from '../../../store/journal/shared-state.ts'
import { readAppliedSetup } from '../../../store/setup-version.ts'
import type { Actor, ReadTx, RowTarget, StateTx, Tx } from '../../../store/store.ts'
import { ChangedTables, renewed, renewVersions } from '../../../store/table-versions.ts'
import { firstColumn } from '../dialect/connection.ts'
import { sqliteDialect } from '../dialect/dialect.ts'
import { allRows, firstRow, type SqliteSession } from './session.ts'

export class SqliteReadTx implements ReadTx {
  readonly companyId: string
  protected readonly session: SqliteSession

  constructor(session: SqliteSession, companyId: string) {
    this.session = session
    this.companyId = companyId
  }

  protected bind<P extends Record<string, Bindable>>(declared: Statement<P, unknown>, values: P) {
    return this.session.bind(declared, values)
  }

  async first<P extends Record<string, Bindable>, Row>(declared: Statement<P, Row>, values: P) {
    return firstRow<Row>(this.bind(declared, values))
  }

  async all<P extends Record<string, Bindable>, Row>(declared: Statement<P, Row>, values: P) {
    return allRows<Row>(this.bind(declared, values))
  }

  async count(compile: (dialect: Dialect) => CompiledQuery): Promise<number> {
    const { text, parameters } = compile(sqliteDialect)
    return firstColumn(this.session.prepared(text), parameters) as number
  }
}

export function sharedStateOf(
  session: SqliteSession,
  onRenewed: () => void,
  onCommitted: CounterTable['committed'],
): SharedState {
  const changed = new ChangedTables((companyId, tables) => {
    const { statement, bound } = session.bind(renewVersions, renewed(companyId, tables))
    statement.run(...bound)
  }, onRenewed)
  return new SharedState(journalCountersOf(session, onCommitted), changed, new WriteMemory(new JournalMemory()))
}

function journalCountersOf(session: SqliteSession, committed: CounterTable['committed']): JournalCounters {
  return new JournalCounters({
    read: (companyId) => {
      const row = requireCounter(firstRow(session.bind(readCounter, { companyId })), companyId)
      return {
        lastEntry: row.last_entry,
        head: headOf(row),
        journalBytes: row.journal_bytes,
        dictionaryAge: row.dictionary_age,
      }
    },
    write: (companyId, { head, ...counter }) => {
      const { statement, bound } = session.bind(writeCounter, { companyId, ...counter, ...head })
      statement.run(...bound)
    },
    committed,
  })
}

export class SqliteStateTx extends SqliteReadTx implements StateTx {
  send<P extends Record<string, Bindable>>(declared: Statement<P, unknown>, values: P): void {
    const { statement, bound } = this.bind(declared, values)
    // Runs it as `run` does, without an object for the counts.
    statement.get(...bound)
  }

  async run<P extends Record<string, Bindable>>(declared: Statement<P, unknown>, values: P) {
    const { statement, bound } = this.bind(declared, values)
    return Number(statement.run(...bound).changes)
  }
}

export class SqliteTx extends SqliteStateTx implements Tx {
  readonly actor: Actor
  readonly at: string
  readonly entries: NewEntries
  readonly #shared: SharedState
  entryNo = 0

  constructor(
    session: SqliteSession,
    shared: SharedState,
    companyId: string,
    by: Pick<Tx, 'actor' | 'at'>,
    entries: NewEntries,
  ) {
    super(session, companyId)
    this.#shared = shared
    this.actor = by.actor
    this.at = by.at
    this.entries = entries
  }

  get setupVersion(): number {
    const read = () => firstRow<{ version: number }>(this.session.bind(readAppliedSetup, {}))?.version ?? 0
    this.#shared.setupVersion ??= read()
    return this.#shared.setupVersion
  }

  protected override bind<P extends Record<string, Bindable>>(declared: Statement<P, unknown>, values: P) {
    const bound = super.bind(declared, values)
    if (bound.changes.length > 0) this.#shared.changed.add(this.companyId, bound.changes)
    return bound
  }

  nextEntry(): Tx {
    const tx = new SqliteTx(this.session, this.#shared, this.companyId, this, this.entries)
    const counter = this.#shared.counters.take(this.companyId)
    tx.entryNo = counter.entryNo
    tx.entries.start(counter)
    return tx
  }

  moveHead(head: ChainHead): void {
    this.#shared.counters.moveHead(this.companyId, head, this.entries)
  }

  async insertRows(target: RowTarget, rows: readonly (readonly SqlValue[])[]): Promise<readonly boolean[]> {
    const { statement, changes } = this.session.rowInsert(target)
    this.#shared.changed.add(this.companyId, changes)
    const stamp = [this.companyId, this.at, this.actor.userId, this.entryNo]
    return rows.map((row) => statement.run(...row, ...stamp).changes === 1n)
  }
}
