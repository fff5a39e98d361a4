// What the parts count while they work, as plain numbers that cost them nothing: the metrics read them when they are asked.
import { Durations } from './durations.ts'

/** Requests of one method that one route has taken. */
export class RouteFigures {
  readonly method: string
  /** As it was declared. */
  readonly route: string
  /** How many were answered with each status; 0 stands for callers who were gone before their answer was. */
  readonly byStatus = new Map<number, number>()
  readonly durations = new Durations()

  constructor(method: string, route: string) {
    this.method = method
    this.route = route
  }

  add(status: number, ms: number): void {
    this.byStatus.set(status, (this.byStatus.get(status) ?? 0) + 1)
    this.durations.add(ms)
  }
}

export interface PoolFigures {
  readonly used: number
  readonly idle: number
  readonly waiting: number
}

/** Why the store has sent somebody away. */
export type StoreRefusal = 'writes-waiting' | 'queries-waiting' | 'disk-low' | 'query-too-long' | 'unavailable'

/** Where a query of a collection runs: in the service itself, in a reader process, or in the database server. */
export type QueryPlace = 'service' | 'reader' | 'database'

export class StoreFigures {
  /** Of writes: until the transaction begins, what is done in it, and until it is on disk. */
  readonly writes = { waiting: new Durations(), running: new Durations(), committing: new Durations() }
  readonly queries: Readonly<Record<QueryPlace, Durations>> = {
    service: new Durations(),
    reader: new Durations(),
    database: new Durations(),
  }
  readonly refusals = new Map<StoreRefusal, number>()
  /** By the name of the document. */
  readonly slowQueries = new Map<string, number>()
  /** Sessions with PostgreSQL, or reader processes of SQLite. */
  pool: () => PoolFigures = () => ({ used: 0, idle: 0, waiting: 0 })
  /** What reader processes of SQLite have in memory. */
  readerBytes: () => number = () => 0
  /** For pages of SQLite in the service itself. */
  cacheLimitBytes = 0
  /** Writes that wait for the next shared transaction. */
  queuedWrites: () => number = () => 0

  refuse(reason: StoreRefusal): void {
    this.refusals.set(reason, (this.refusals.get(reason) ?? 0) + 1)
  }
}

export class FileFigures {
  /** Contents that were received, and that were read to be sent or looked at. */
  bytesIn = 0
  bytesOut = 0
  uploadsUnderWay = 0
}

/** Reads that were answered as before, without making the answer again. */
export class AnswerFigures {
  readonly repeats = { 200: 0, 304: 0 }
  /** Of the answers that are kept. */
  bytes: () => number = () => 0
}

export class ConnectionFigures {
  open = 0
  /** Connections that waited for a request and were closed to make room. */
  reclaimed = 0
  /** Connections that were not taken, by the bound that was reached: of one address, or of all. */
  readonly refused = { address: 0, all: 0 }
}
