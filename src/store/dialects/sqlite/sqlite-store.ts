// The store on SQLite: one connection writes in shared transactions, another reads what is committed.

import { dirname } from 'node:path'
import type { StatementSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../base/clock.ts'
import type { Validity } from '../../../base/validity.ts'
import type { CompiledQuery } from '../../compile/compiled-query.ts'
import type { IndexChanges } from '../../indexes/setup-index.ts'
import { type ChainHead, NewEntries } from '../../journal/audit-chain.ts'
import {
  headOf,
  readCounter,
  requireCounter,
  startCounter,
  withJournal,
  withJournals,
  writeCounter,
} from '../../journal/journal.ts'
import { JournalCounters } from '../../journal/journal-counters.ts'
import { JournalMemory, WriteMemory } from '../../journal/journal-memory.ts'
import { migrateToLatest } from '../../migrations/migrate.ts'
import type { SlowQueries } from '../../service-state/slow-queries.ts'
import { SharedState } from '../../shared-state.ts'
import { compileStatement, type Statement } from '../../statement.ts'
import type { Integrity } from '../../store.ts'
import {
  type Actor,
  type ByteStream,
  type CollectionQuery,
  type CountQuery,
  type CustomTable,
  flowOf,
  INTERNAL_CALLER,
  type ReadTx,
  type RowTarget,
  type SetupTx,
  type Store,
  type TableColumn,
  type Tx,
} from '../../store.ts'
import { rethrowWriteError } from '../../store-fault.ts'
import { ChangedTables } from '../../versions/changed-tables.ts'
import { tablesChangedBy } from '../../versions/statement-tables.ts'
import { type Reading, ReadTables, readVersion, renewed, renewVersions } from '../../versions/table-versions.ts'
import type { Dialect, SqlValue } from '../dialect.ts'
import type { Location, OpenSettings } from '../driver.ts'
import { type Connection, firstColumn, openReader, openWriter, prepareArrays } from './connection.ts'
import { ensureTable, tableColumns } from './custom-tables.ts'
import { sqliteDialect } from './dialect.ts'
import { explainFolderError } from './file/data-folder.ts'
import { readIntegrity } from './file/integrity-record.ts'
import { FileVersions } from './file-versions.ts'
import { addFunctions } from './functions/fold-case.ts'
import { addJournalView } from './functions/journal-text.ts'
import { changeIndexes, setupIndexes } from './indexes/setup-indexes.ts'
import { ReaderPool } from './processes/reader-pool.ts'
import { Queries } from './queries/queries.ts'
import { rowInsertText } from './row-insert.ts'
import { SchemaDialect } from './schema-dialect.ts'
import { SharedWriter } from './writer.ts'

export interface SqliteOptions extends Omit<OpenSettings, keyof Location> {
  readonly file: string
  /** False when the disk is nearly full. */
  mayWrite(): boolean
  /** Throws when another service may hold the data folder by now. */
  requireHeld(): void
  beforeClose(): Promise<void>
  /** Called when the database was closed without an error. */
  afterClose(): void | Promise<void>
}

const PREPARED_QUERIES = 200

export const SQLITE_TYPES = {
  text: `text not null default ''`,
  integer: 'integer not null default 0',
  number: 'real not null default 0',
  json: `text not null default '[]'`,
  bytes: `blob not null default x''`,
  tail: ' strict, without rowid',
  longRowsTail: ' strict',
  rowLevelSecurity: false,
  // Words are tokenized and folded before they are stored: the ASCII tokenizer leaves all other letters unchanged.
  wordIndex: [
    `create virtual table document_words using fts5(words, content='', contentless_delete=1, detail='none', tokenize='ascii')`,
  ],
  journalView: [],
}

/** Opens the file and migrates its schema, in a time that does not depend on its size. */
export async function openSqliteStore(options: SqliteOptions): Promise<Store> {
  const writer = openFolderWriter(options)
  if (!options.isWorker) await migrateSchema(writer)
  const reader = openReader(options.file, options.attached, options.cacheKib / 2)
  addFunctions(reader)
  addFunctions(writer)
  addJournalView(writer)
  return new SqliteStore(writer, reader, options)
}

function openFolderWriter({ file, cacheKib, isBulk }: SqliteOptions): Connection {
  try {
    return openWriter(file, cacheKib / 2, isBulk)
  } catch (error) {
    throw explainFolderError(error, dirname(file))
  }
}

async function migrateSchema(writer: Connection): Promise<void> {
  try {
    const migrations = new Kysely<unknown>({ dialect: new SchemaDialect(writer) })
    await migrateToLatest(migrations, SQLITE_TYPES)
  } catch (error) {
    writer.close()
    throw error
  }
}

interface PreparedStatement {
  readonly statement: StatementSync
  /** Parameter names in the order of binding. */
  readonly names: readonly string[]
  readonly answersRows: boolean
  /** The document tables that it changes. */
  readonly changes: readonly string[]
}

/** The prepared statements of one connection, each prepared at its first use. */
class Session {
  readonly #connection: Connection
  readonly #prepared = new Map<string, PreparedStatement>()
  readonly #queries = new LRUCache<string, StatementSync>({ max: PREPARED_QUERIES })
  readonly #rowInserts = new Map<string, Pick<PreparedStatement, 'statement' | 'changes'>>()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  bind<P extends Record<string, SqlValue>>(declared: Statement<P, unknown>, values: P) {
    let prepared = this.#prepared.get(declared.name)
    if (!prepared) {
      const { text, names, changes } = compileStatement(sqliteDialect, declared)
      const statement = this.#connection.prepare(text)
      prepared = { statement, names, answersRows: statement.columns().length > 0, changes }
      this.#prepared.set(declared.name, prepared)
    }
    const { statement, names, answersRows, changes } = prepared
    return { statement, answersRows, changes, bound: names.map((name) => values[name] as SqlValue) }
  }

  rowInsert(target: RowTarget): Pick<PreparedStatement, 'statement' | 'changes'> {
    const text = rowInsertText(target)
    let insert = this.#rowInserts.get(text)
    if (!insert) {
      insert = { statement: this.#connection.prepare(text), changes: tablesChangedBy(text) }
      this.#rowInserts.set(text, insert)
    }
    return insert
  }

  /**
   * Prepares a query that returns one value, with rows as arrays. The rules in force are few, so the cache is small.
   */
  prepared(text: string): StatementSync {
    let statement = this.#queries.get(text)
    if (!statement) {
      statement = prepareArrays(this.#connection, text)
      this.#queries.set(text, statement)
    }
    return statement
  }
}

class SqliteReadTx implements ReadTx {
  readonly companyId: string
  protected readonly session: Session

  constructor(session: Session, companyId: string) {
    this.session = session
    this.companyId = companyId
  }

  protected bind<P extends Record<string, SqlValue>>(declared: Statement<P, unknown>, values: P) {
    return this.session.bind(declared, values)
  }

  async first<P extends Record<string, SqlValue>, Row>(declared: Statement<P, Row>, values: P) {
    const { statement, bound } = this.bind(declared, values)
    return statement.get(...bound) as Row | undefined
  }

  async all<P extends Record<string, SqlValue>, Row>(declared: Statement<P, Row>, values: P) {
    const { statement, bound } = this.bind(declared, values)
    return statement.all(...bound) as Row[]
  }

  async count(compile: (dialect: Dialect) => CompiledQuery): Promise<number> {
    const { text, parameters } = compile(sqliteDialect)
    return firstColumn(this.session.prepared(text), parameters) as number
  }
}

function sharedStateOf(session: Session, onRenewed: () => void): SharedState {
  const changed = new ChangedTables((companyId, tables) => {
    const { statement, bound } = session.bind(renewVersions, renewed(companyId, tables))
    statement.run(...bound)
  }, onRenewed)
  return new SharedState(journalCountersOf(session), changed, new WriteMemory(new JournalMemory()))
}

function journalCountersOf(session: Session): JournalCounters {
  return new JournalCounters({
    read: (companyId) => {
      const { statement, bound } = session.bind(readCounter, { companyId })
      const row = requireCounter(statement.get(...bound) as never, companyId)
      return { lastEntry: row.last_entry, head: headOf(row), journalBytes: row.journal_bytes }
    },
    write: (companyId, { head, ...counter }) => {
      const { statement, bound } = session.bind(writeCounter, { companyId, ...counter, ...head })
      statement.run(...bound)
    },
  })
}

class SqliteTx extends SqliteReadTx implements Tx {
  readonly actor: Actor
  readonly at: string
  readonly entries: NewEntries
  readonly #shared: SharedState
  entryNo = 0

  constructor(
    session: Session,
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

  protected override bind<P extends Record<string, SqlValue>>(declared: Statement<P, unknown>, values: P) {
    const bound = super.bind(declared, values)
    if (bound.changes.length > 0) this.#shared.changed.add(this.companyId, bound.changes)
    return bound
  }

  async nextEntry(): Promise<Tx> {
    const tx = new SqliteTx(this.session, this.#shared, this.companyId, this, this.entries)
    const counter = this.#shared.counters.take(this.companyId)
    tx.entryNo = counter.entryNo
    tx.entries.start(counter)
    return tx
  }

  moveHead(head: ChainHead): void {
    this.#shared.counters.moveHead(this.companyId, head, this.entries.journalBytes)
  }

  async insertRows(target: RowTarget, rows: readonly (readonly SqlValue[])[]): Promise<readonly boolean[]> {
    const { statement, changes } = this.session.rowInsert(target)
    this.#shared.changed.add(this.companyId, changes)
    const stamp = [this.companyId, this.at, this.actor.userId]
    return rows.map((row) => statement.run(...row, ...stamp).changes === 1)
  }

  send<P extends Record<string, SqlValue>>(declared: Statement<P, unknown>, values: P): void {
    const { statement, bound } = this.bind(declared, values)
    statement.run(...bound)
  }

  async run<P extends Record<string, SqlValue>>(declared: Statement<P, unknown>, values: P) {
    const { statement, bound } = this.bind(declared, values)
    return Number(statement.run(...bound).changes)
  }
}

class SqliteStore implements Store {
  readonly slow: SlowQueries
  /** Large, because each commit writes most leaves of the indexes whose order is not that of the file. */
  readonly recordsAtOnce = 10_000
  readonly #writerConnection: Connection
  readonly #reader: Connection
  readonly #writer: SharedWriter
  readonly #writing: Session
  readonly #shared: SharedState
  readonly #readSession: Session
  readonly #clock: Clock
  readonly #folder: string
  readonly #readers: ReaderPool
  readonly #queries: Queries
  readonly #versions: FileVersions
  readonly #readTables = new ReadTables((declared) => compileStatement(sqliteDialect, declared).text, sqliteDialect)
  readonly #file: string
  readonly #options: SqliteOptions

  constructor(writer: Connection, reader: Connection, options: SqliteOptions) {
    this.slow = options.slow
    this.#options = options
    this.#writerConnection = writer
    this.#reader = reader
    this.#writing = new Session(writer)
    this.#shared = sharedStateOf(this.#writing, () => this.#versions.invalidate())
    this.#writer = new SharedWriter(writer, options, this.#shared)
    this.#readSession = new Session(reader)
    this.#clock = options.clock
    this.#folder = dirname(options.file)
    options.metrics.cacheLimitBytes = options.cacheKib * 1024
    this.#readers = new ReaderPool([options.file, ...options.attached], options.queryTimeoutMs, options.metrics)
    this.#file = options.file
    this.#queries = new Queries(reader, this.#readers, options.metrics)
    const versionOf = (companyId: string, table: string) => {
      const { statement, bound } = this.#readSession.bind(readVersion, { companyId, table })
      return (statement.get(...bound) as { version: number } | undefined)?.version
    }
    this.#versions = new FileVersions(versionOf, options.isWorker ? reader : undefined)
  }

  reading(companyId: string): ReadTx {
    return new SqliteReadTx(this.#readSession, companyId)
  }

  write<T>(companyId: string, actor: Actor, work: (tx: Tx) => Promise<T>): Promise<T> {
    const written = this.#writer.write(flowOf(companyId, actor), async () =>
      withJournal(await this.#startWrite(companyId, actor), work),
    )
    return written.catch(rethrowWriteError)
  }

  upsertCounters<P extends Record<string, SqlValue>, Row>(declared: Statement<P, Row>, values: P): Promise<Row[]> {
    return this.#writer.write(INTERNAL_CALLER.flow, async () => {
      const { statement, answersRows, bound } = this.#writing.bind(declared, values)
      if (answersRows) return statement.all(...bound) as Row[]
      statement.run(...bound)
      return []
    })
  }

  writeSetup<T>(actor: Actor, work: (tx: SetupTx) => Promise<T>): Promise<T> {
    const start = async (companyId: string) => {
      const { statement, bound } = this.#writing.bind(startCounter, { companyId })
      statement.run(...bound)
      return this.#startWrite(companyId, actor)
    }
    const ensure = async (table: CustomTable) => ensureTable(this.#writerConnection, table)
    const written = this.#writer.write(INTERNAL_CALLER.flow, () =>
      withJournals(start, (startIn) => work({ in: startIn, ensureTable: ensure })),
    )
    return written.catch(rethrowWriteError)
  }

  validityOf(companyId: string, readings: readonly Reading[]): Validity | undefined {
    const tables = this.#readTables.of(readings)
    return tables && this.#versions.validityOf(companyId, tables)
  }

  count(_companyId: string, query: CountQuery): Promise<number> {
    return this.#queries.count(query)
  }

  collect(_companyId: string, query: CollectionQuery): Promise<string | Uint8Array | ByteStream> {
    return this.#queries.collect(query)
  }

  async columnsOf(table: string): Promise<readonly TableColumn[] | undefined> {
    return tableColumns(this.#reader, table)
  }

  async setupIndexes(): Promise<ReadonlySet<string>> {
    return setupIndexes(this.#reader)
  }

  changeIndexes(changes: IndexChanges, stopped: AbortSignal): Promise<void> {
    const typeOf = (table: string, column: string) =>
      tableColumns(this.#reader, table)?.find(({ name }) => name === column)?.declared ?? 'text'
    return changeIndexes(this.#file, changes, typeOf, stopped)
  }

  integrity(): Integrity {
    return readIntegrity(this.#folder)
  }

  async ping(): Promise<void> {
    this.#reader.prepare('select 1').get()
  }

  async close(): Promise<void> {
    await this.#options.beforeClose()
    await this.#writer.settle()
    await this.#readers.close()
    this.#reader.close()
    this.#writerConnection.exec('pragma wal_checkpoint(truncate)')
    this.#writerConnection.close()
    await this.#options.afterClose()
  }

  #startWrite(companyId: string, actor: Actor): Promise<Tx> {
    const by = { actor, at: this.#clock().toISOString() }
    const entries = new NewEntries(this.#shared.memory)
    return new SqliteTx(this.#writing, this.#shared, companyId, by, entries).nextEntry()
  }
}
