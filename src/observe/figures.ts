// Plain counters that the other modules update while they work, at no cost; Metrics reads them when it is scraped.
import { DurationHistogram } from './duration-histogram.ts'

/** The requests of one method to one route. */
export class RouteMetrics {
  readonly method: string
  /** The declared path. */
  readonly route: string
  /** The number of responses by status; 0 stands for clients that disconnected before the end of their response. */
  readonly byStatus = new Map<number, number>()
  readonly durations = new DurationHistogram()

  constructor(method: string, route: string) {
    this.method = method
    this.route = route
  }

  add(status: number, ms: number): void {
    this.byStatus.set(status, (this.byStatus.get(status) ?? 0) + 1)
    this.durations.add(ms)
  }
}

export interface PoolMetrics {
  readonly used: number
  readonly idle: number
  readonly waiting: number
}

/** Why the store has rejected a request. */
export type StoreRefusal = 'writes-waiting' | 'queries-waiting' | 'disk-low' | 'query-too-long' | 'unavailable'

/** Where a query of a collection runs: in the service process, in a reader process, or in the database server. */
export type QueryPlace = 'service' | 'reader' | 'database'

export class StoreMetrics {
  /** The phases of a write: until its transaction starts, inside the transaction, and until it is on disk. */
  readonly writes = {
    waiting: new DurationHistogram(),
    running: new DurationHistogram(),
    committing: new DurationHistogram(),
  }
  readonly queries: Readonly<Record<QueryPlace, DurationHistogram>> = {
    service: new DurationHistogram(),
    reader: new DurationHistogram(),
    database: new DurationHistogram(),
  }
  readonly refusals = new Map<StoreRefusal, number>()
  /** By Enterprise Document. */
  readonly slowQueries = new Map<string, number>()
  /** PostgreSQL sessions, or SQLite reader processes. */
  pool: () => PoolMetrics = () => ({ used: 0, idle: 0, waiting: 0 })
  /** Resident memory of the SQLite reader processes. */
  readerBytes: () => number = () => 0
  /** Limit of SQLite's page cache in the service process. */
  cacheLimitBytes = 0
  /** Writes that wait for the next shared transaction. */
  queuedWrites: () => number = () => 0

  refuse(reason: StoreRefusal): void {
    this.refusals.set(reason, (this.refusals.get(reason) ?? 0) + 1)
  }
}

export class FileMetrics {
  /** Bytes of contents received (in), and read for downloads and jobs (out). */
  bytesIn = 0
  bytesOut = 0
  uploadsUnderWay = 0
}

/** Reads that were answered from the response cache. */
export class ResponseMetrics {
  readonly hits = { 200: 0, 304: 0 }
  /** Size of the cached responses. */
  bytes: () => number = () => 0
}

export class ConnectionMetrics {
  open = 0
  /** Idle connections that were closed for new ones. */
  reclaimed = 0
  /** Rejected connections by the limit reached: that of one address, or that of all. */
  readonly refused = { address: 0, all: 0 }
}
