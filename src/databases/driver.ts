// What is done with a database as a whole: opening, copying, restoring and checking it. Each database has one
// driver, in its folder.
import type { Readable } from 'node:stream'
import type { Clock } from '../base/clock.ts'
import type { Observe } from '../observe/observation.ts'
import type { StoreMetrics } from '../observe/store-metrics.ts'
import type { BoundText } from '../sql/rows/compiled-query.ts'
import type { ReadOnlyDatabase } from '../store/audit/audit-store.ts'
import type { Replica } from '../store/replica-watch.ts'
import type { SlowQueries } from '../store/slow-queries.ts'
import type { Store } from '../store/store.ts'
import type { FatalStoreFault } from '../store/store-fault.ts'

export interface Location {
  /** The data folder. It holds the database when `database` is not given. */
  readonly data: string
  /** The URL of a database elsewhere. */
  readonly database?: string | undefined
}

export interface Driver {
  /** As in the manifests of backups: never changed. */
  readonly name: string
  /** As in messages. */
  readonly title: string
  /** For a message: where a backup of such a database is restored to. */
  readonly restoreHint: string
  /** Whether the URL is of such a database; undefined for one in the data folder. */
  serves(url: string | undefined): boolean
  /** Throws with a clear message when the database cannot be used. */
  openStore(settings: OpenSettings): Promise<Store>
  /** Opens a replica at another address, and does not wait for it. Absent: such databases have none. */
  openReplica?(settings: OpenSettings, replicaUrl: string): Replica
  /** Takes no lock and runs no migrations. */
  openReadOnly(location: Location, attached: readonly string[]): Promise<ReadOnlyDatabase>
  /** Whether an error of such a database is that a table or a column is missing. */
  isOlderSchema(error: unknown): boolean
  /** Whether a setup was ever applied to the database. */
  isSetUp(location: Location): Promise<boolean>
  /** Throws when no setup was ever applied to the database. Creates nothing. */
  requireSetUp(location: Location): Promise<void>
  /** Copies the database while the service runs. */
  copy(task: CopyTask): Promise<DatabaseCopy>
  /**
   * Checks that a copy is consistent. The caller has already checked that its files are unchanged. Returns whether it
   * has found the contents that the copy refers to.
   */
  checkCopy(task: CheckTask): Promise<boolean>
  /** Throws, without changing anything, when the location is not empty. With `validateOnly` nothing else is done. */
  openRestoreTarget(
    location: Location,
    migrations: readonly string[],
    validateOnly: boolean,
  ): Promise<RestoreTarget | undefined>
  /**
   * Checks the database, also while a service writes to it, and changes nothing. Returns the number of its tables.
   */
  checkIntegrity(task: IntegrityTask): Promise<number>
  /** Distributes the companies of the database over several servers. It may be ended and run again. */
  distribute(task: DistributeTask): Promise<Distribution>
  /** Grants a role what a service needs, run by the owner of the tables. Returns the statements. */
  grantService(location: Location, role: string): Promise<readonly string[]>
  /** Rewrites what held removed values, so that none of their bytes is left. Writers wait meanwhile. */
  rewrite(location: Location): Promise<void>
}

/** The driver of the database in the data folder. */
export interface EmbeddedDriver extends Driver {
  /** An empty store in a temporary folder that is removed on close, for work that stores nothing. */
  openScratchStore(settings: Omit<OpenSettings, 'data'>): Promise<Store>
}

/** A data folder that this process holds. */
export interface FolderHold {
  /** Starts a low-priority check of the database, unless the last service was shut down cleanly. */
  checkUnlessTrusted(observe: Observe): void
  /** Must come before the database is closed. */
  stopCheck(): Promise<void>
  /** Must come after the database was closed. After any other end than a clean one the next start checks it. */
  release(isClean: boolean): Promise<void>
}

export interface StoreSettings extends Location {
  /** Files of the embedded database's kind to attach read-only, each as `name=file`. */
  readonly attached?: readonly string[] | undefined
  /** The query timeout; default 30 s. */
  readonly queryTimeoutMs?: number | undefined
  /** For requests: its role should have no more rights than those need. */
  readonly isService?: boolean
  /** The address leads to a pooler that may hand each transaction another session of the database. */
  readonly isPooled?: boolean | undefined
  /** Queries that take longer are recorded as slow; default 200 ms. */
  readonly slowQueryMs?: number | undefined
  /** True in the further processes on a store: the first one has run the migrations and holds the data folder. */
  readonly isWorker?: boolean
  /** The id of the process that holds the data folder, when it has started this process. */
  readonly heldBy?: number
  /** True for an import by a single program: commits and checkpoints may be large. */
  readonly isBulk?: boolean
  /** True where another program, such as Litestream, copies the log of the embedded database: nothing here does. */
  readonly leavesLog?: boolean
  /**
   * Checks the integrity of the embedded database in the background when its last service was not shut down cleanly.
   */
  readonly checksInBackground?: boolean
  readonly clock: Clock
  readonly observe: Observe
  /** Where the store counts its work. */
  readonly metrics?: StoreMetrics | undefined
  /** Called once when the disk fails during a write: nothing may be acknowledged any more. */
  onFatal(fault: FatalStoreFault): void
}

/** Settings with their defaults. */
export interface OpenSettings extends StoreSettings {
  readonly attached: readonly string[]
  readonly isWorker: boolean
  readonly isBulk: boolean
  readonly isPooled: boolean
  readonly leavesLog: boolean
  readonly queryTimeoutMs: number
  readonly metrics: StoreMetrics
  readonly slow: SlowQueries
}

/** A query of a document, whose plan is looked at. */
export interface SampleQuery {
  readonly name: string
  readonly companyId: string
  readonly query: BoundText
}

export interface DistributeTask extends Location {
  /** Reports the statements, and changes nothing. */
  readonly isDryRun: boolean
  readonly queries: readonly SampleQuery[]
  readonly observe: Observe
  readonly progress: ReportProgress
  /** Called with a line for each table. */
  report(line: string): void
}

export interface Distribution {
  readonly tables: number
  /** The servers that have companies. */
  readonly servers: number
  /** The number of statements whose plans were looked at. */
  readonly statements: number
  /** A line for each statement that would not reach the shard of its company alone: its name, and why. */
  readonly unrouted: readonly string[]
  /** The conditions that do not hold. Where there are any, nothing was changed. */
  readonly unmet: readonly string[]
}

/** The content of a copy. */
export interface DatabaseCopy {
  /** The migrations that created its schema. */
  readonly migrations: readonly string[]
  /** File names without a folder. */
  readonly files: readonly string[]
  /** The number of rows of each table. */
  readonly tables: Readonly<Record<string, number>>
  /** Whether each company is as of a moment of its own. */
  readonly isOfManyMoments?: boolean
}

/** A file content that document revisions refer to. */
export interface ReferencedContent {
  readonly companyId: string
  readonly hash: string
  /** The size in bytes. */
  readonly size: number
}

/** Called as work proceeds, in any unit. */
export type ReportProgress = (done: number, total: number) => void

export interface CopyTask extends Location {
  /** An empty folder to copy into. */
  readonly folder: string
  readonly progress: ReportProgress
  /** Called once for every content (company and hash) that the copy refers to. */
  onReferenced(content: ReferencedContent): Promise<void>
}

export interface CheckTask {
  readonly folder: string
  readonly copy: DatabaseCopy
  report(fault: string): void
  /** As in `CopyTask`, where the contents are found. */
  onReferenced?(content: ReferencedContent): Promise<void>
}

export interface LoadTask {
  readonly copy: DatabaseCopy
  /** Opens a file of the copy. The stream fails at its end when the file was changed since. */
  read(file: string): Readable
  readonly progress: ReportProgress
  /** As in `CopyTask`, for the loaded data. */
  onReferenced(content: ReferencedContent): Promise<void>
}

/** An empty location to restore a database into. Nothing is visible there before `accept`. */
export interface RestoreTarget {
  load(task: LoadTask): Promise<void>
  accept(): Promise<void>
  /** Removes what was not accepted, where it must not stay. */
  close(): Promise<void>
}

export interface IntegrityTask extends Location {
  readonly progress: ReportProgress
  report(fault: string): void
  /** Called for parts that could not be checked. */
  note(text: string): void
}
