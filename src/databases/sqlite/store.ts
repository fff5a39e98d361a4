// The store on SQLite: one connection writes in shared transactions, another reads what is committed.
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import type { SharedReads } from '../../base/shared-reads.ts'
import type { Validity } from '../../base/validity.ts'
import type { Bindable } from '../../sql/dialect.ts'
import type { DeclaredTable } from '../../sql/schema.ts'
import type { IndexChanges } from '../../sql/setup-index.ts'
import { compileStatement, type Statement } from '../../sql/statement.ts'
import { NewEntries } from '../../store/chain/audit-chain.ts'
import { lastChangeNumber } from '../../store/change-number.ts'
import { type JointParts, writeJointly } from '../../store/journal/joint-writes.ts'
import { startCounter, withJournal, withJournals } from '../../store/journal/journal.ts'
import type { SharedState } from '../../store/journal/shared-state.ts'
import { type CommittedByOthers, NewestEntries } from '../../store/newest-entries.ts'
import type { SlowQueries } from '../../store/slow-queries.ts'
import {
  type Actor,
  type ByteStream,
  type CollectionQuery,
  type CountQuery,
  flowOf,
  INTERNAL_CALLER,
  type Integrity,
  type JointWrite,
  type ReadTx,
  type SetupTx,
  type Snapshot,
  type StateTx,
  type Store,
  type TableColumn,
  type Tx,
} from '../../store/store.ts'
import { rethrowWriteError } from '../../store/store-fault.ts'
import { type Reading, ReadTables, readVersion } from '../../store/table-versions.ts'
import type { Location, OpenSettings } from '../driver.ts'
import { reportNewer } from '../migrations/compatibility.ts'
import { type Connection, firstColumn, openReader, openWriter, prepareArrays } from './dialect/connection.ts'
import { ensureTable, ensureUnique, tableColumns } from './dialect/declared-tables.ts'
import { sqliteDialect } from './dialect/dialect.ts'
import { addFunctions } from './dialect/functions.ts'
import { addJournalText } from './dialect/journal-text.ts'
import { migrateSchema } from './dialect/schema.ts'
import { Snapshots } from './dialect/snapshots.ts'
import { explainFolderError } from './file/data-folder.ts'
import { readIntegrity } from './file/integrity-record.ts'
import { ReaderPool } from './file/reader-pool.ts'
import { changeIndexes, setupIndexes } from './file/setup-indexes.ts'
import { Queries } from './queries.ts'
import { FileVersions } from './versions.ts'
import { BulkWriter } from './writing/bulk-writer.ts'
import { allRows, firstRow, SqliteSession } from './writing/session.ts'
import { SqliteReadTx, SqliteStateTx, SqliteTx, sharedStateOf } from './writing/transaction.ts'
import { SharedWriter } from './writing/writer.ts'

export interface SqliteOptions extends Omit<OpenSettings, keyof Location> {
  readonly file: string
  /** False when the disk is nearly full. */
  mayWrite(): boolean
  /** Throws when another service may hold the data folder by now. */
  requireHeld(): void
  /** Throws when the schema must stay as it is. */
  beforeMigration(): void
  beforeClose(): Promise<void>
  /** Called when the database was closed without an error. */
  afterClose(): void | Promise<void>
}

/** Memory for pages of the file in each process that serves, half of it for writing. */
const CACHE_KIB = 32 * 1024

/** Opens the file and migrates its schema, in a time that does not depend on its size. */
export async function openSqliteStore(options: SqliteOptions): Promise<Store> {
  const writer = openFolderWriter(options)
  if (!options.isWorker) reportNewer(await migrateSchema(writer, () => options.beforeMigration()), options.observe)
  const reader = openReader(options.file, options.attached, CACHE_KIB / 2)
  addFunctions(reader)
  addFunctions(writer)
  addJournalText(writer)
  return new SqliteStore(writer, reader, options)
}

function openFolderWriter({ file, isBulk, leavesLog }: SqliteOptions): Connection {
  try {
    return openWriter(file, { cacheKib: CACHE_KIB / 2, isBulk, leavesLog })
  } catch (error) {
    throw explainFolderError(error, dirname(file))
  }
}

class SqliteStore implements Store {
  readonly slow: SlowQueries
  readonly newestEntries: NewestEntries
  readonly sharedReads: SharedReads
  /** Large, because each commit writes most leaves of the indexes whose order is not that of the file. */
  readonly recordsAtOnce = 10_000
  readonly #writerConnection: Connection
  readonly #reader: Connection
  readonly #writer: SharedWriter
  /** Only an import by a single program has it. */
  readonly #bulk: BulkWriter | undefined
  readonly #writing: SqliteSession
  readonly #shared: SharedState
  readonly #readSession: SqliteSession
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
    this.#writing = new SqliteSession(writer)
    const onRenewed = () => this.#versions.invalidate()
    this.#shared = sharedStateOf(this.#writing, onRenewed, (companyId, entryNo) => {
      // A write that changes no table with a version has taken a number too.
      onRenewed()
      this.newestEntries.committed(companyId, entryNo)
    })
    this.#writer = new SharedWriter(writer, options, this.#shared, this.#writing)
    this.#bulk = options.isBulk ? new BulkWriter(options) : undefined
    this.#readSession = new SqliteSession(reader)
    this.#clock = options.clock
    this.#folder = dirname(options.file)
    options.metrics.cacheLimitBytes = CACHE_KIB * 1024
    this.#readers = new ReaderPool([options.file, ...options.attached], options.queryTimeoutMs, options.metrics)
    this.#file = options.file
    const snapshots = new Snapshots(reader)
    this.sharedReads = snapshots
    this.#queries = new Queries(reader, snapshots, this.#readers, options.metrics)
    const versionOf = (companyId: string, table: string) => {
      return firstRow<{ version: number }>(this.#readSession.bind(readVersion, { companyId, table }))?.version
    }
    this.#versions = new FileVersions(versionOf, (companyId) => snapshots.numberOf(companyId), reader)
    this.newestEntries = new NewestEntries(committedByOthers(writer, (companyId) => this.reading(companyId)))
  }

  reading(companyId: string): ReadTx {
    return new SqliteReadTx(this.#readSession, companyId)
  }

  write<T>(companyId: string, actor: Actor, work: (tx: Tx) => Promise<T>, isLarge = false): Promise<T> {
    if (isLarge && this.#bulk) {
      const written = this.#writer.requireRoom() ?? this.#bulk.write(companyId, actor, work)
      return written.catch(rethrowWriteError)
    }
    const written = this.#writer.write(flowOf(companyId, actor), () =>
      withJournal(this.#startWrite(companyId, actor), work),
    )
    return written.catch(rethrowWriteError)
  }

  writeTogether<T>(companyId: string, actor: Actor, work: (joint: JointWrite) => Promise<T>): Promise<T> {
    const flow = flowOf(companyId, actor)
    const parts: JointParts = {
      reading: new SqliteReadTx(this.#writing, companyId),
      shared: this.#shared,
      isFault: (error) => this.#writer.isFault(error),
      startWrite: (by) => this.#startWrite(companyId, by),
      inSavepoint: (run) => this.#writer.inSavepoint('joined', run),
      isHoldingUpOthers: () => this.#writer.isHoldingUpOthers(flow),
    }
    return this.#writer.write(flow, () => writeJointly(parts, work)).catch(rethrowWriteError)
  }

  writeState<T>(companyId: string, member: string, work: (tx: StateTx) => Promise<T>): Promise<T> {
    const run = () => work(new SqliteStateTx(this.#writing, companyId))
    return this.#writer.write({ group: companyId, member }, run).catch(rethrowWriteError)
  }

  upsertCounters<P extends Record<string, Bindable>, Row>(declared: Statement<P, Row>, values: P): Promise<Row[]> {
    return this.#writer.write(INTERNAL_CALLER.flow, async () => {
      return allRows<Row>(this.#writing.bind(declared, values))
    })
  }

  writeSetup<T>(actor: Actor, work: (tx: SetupTx) => Promise<T>, isTried = false): Promise<T> {
    const start = async (companyId: string) => {
      const { statement, bound } = this.#writing.bind(startCounter, { companyId })
      statement.run(...bound)
      return this.#startWrite(companyId, actor)
    }
    const tables = {
      ensureTable: async (table: DeclaredTable) => ensureTable(this.#writerConnection, table),
      ensureUnique: async (table: DeclaredTable) => ensureUnique(this.#writerConnection, table),
    }
    const run = () => {
      // Tables are written by no statement of the session.
      this.#writing.hasWritten = true
      return withJournals(start, (startIn) => work({ in: startIn, ...tables })).finally(() => {
        this.#shared.setupVersion = undefined
      })
    }
    const written = isTried
      ? this.#writer.writeAnyway(INTERNAL_CALLER.flow, run)
      : this.#writer.write(INTERNAL_CALLER.flow, run)
    return written.catch(rethrowWriteError)
  }

  validityOf(companyId: string, readings: readonly Reading[]): Validity | undefined {
    const tables = this.#readTables.of(readings)
    return tables && this.#versions.validityOf(companyId, tables)
  }

  count(companyId: string, query: CountQuery): Promise<Snapshot<number>> {
    return this.#queries.count(companyId, query)
  }

  collect(companyId: string, query: CollectionQuery): Promise<Snapshot<string | Uint8Array | ByteStream>> {
    return this.#queries.collect(companyId, query)
  }

  async columnsOf(table: string): Promise<readonly TableColumn[] | undefined> {
    return tableColumns(this.#reader, table)
  }

  /** There are no policies, and one process at a time uses the database. */
  async setupIndexes(): Promise<ReadonlySet<string>> {
    return setupIndexes(this.#reader)
  }

  changeIndexes(changes: IndexChanges, stopped: AbortSignal): Promise<void> {
    const typeOf = (table: string, column: string) =>
      tableColumns(this.#reader, table)?.find(({ name }) => name === column)?.declared ?? 'text'
    return changeIndexes(this.#options, changes, typeOf, stopped)
  }

  integrity(): Integrity {
    return readIntegrity(this.#folder)
  }

  async databaseBytes(): Promise<number> {
    const files = [this.#file, `${this.#file}-wal`].map((file) => statSync(file, { throwIfNoEntry: false }))
    return files.reduce((sum, stat) => sum + (stat?.size ?? 0), 0)
  }

  async ping(): Promise<void> {
    this.#reader.prepare('select 1').get()
  }

  async close(): Promise<void> {
    this.newestEntries.close()
    await this.#options.beforeClose()
    await this.#writer.settle()
    await this.#bulk?.close()
    await this.#readers.close()
    this.#reader.close()
    if (!this.#options.leavesLog) this.#writerConnection.exec('pragma wal_checkpoint(truncate)')
    this.#writerConnection.close()
    await this.#options.afterClose()
  }

  #startWrite(companyId: string, actor: Actor): Tx {
    const by = { actor, at: this.#clock().toISOString() }
    const entries = new NewEntries(this.#shared.memory)
    return new SqliteTx(this.#writing, this.#shared, companyId, by, entries).nextEntry()
  }
}

// Notices the commits of other processes on the file.

/** The question costs some microseconds. */
const EVERY_MS = 20

/** `writer`: the connection of this process that writes, to which SQLite reports only the commits of others. */
function committedByOthers(writer: Connection, reading: (companyId: string) => ReadTx): CommittedByOthers {
  const dataVersion = prepareArrays(writer, 'pragma data_version')
  let last: unknown
  return {
    everyMs: EVERY_MS,
    read: async (companyIds, isNew) => {
      const version = firstColumn(dataVersion, [])
      const isUnchanged = version === last && !isNew
      last = version
      if (isUnchanged) return new Map()
      return new Map(
        await Promise.all(companyIds.map(async (id) => [id, await lastChangeNumber(reading(id))] as const)),
      )
    },
  }
}
