// What the store counts while it works, and what it is asked when the metrics are scraped.

import type { QueueFigures } from '../base/concurrency/waiting-queue.ts'
import type { MetricRegistry } from './metric-registry.ts'

/** Why the store has rejected a request. */
type StoreRefusal = 'disk-low' | 'query-too-long' | 'unavailable'

/** The phases of a write: until its transaction starts, inside the transaction, and until it is on disk. */
const PHASES = ['waiting', 'running', 'committing'] as const
/** Where a query of a collection runs: in the service process, in a reader process, or in the database server. */
const PLACES = ['service', 'reader', 'database'] as const

export class StoreMetrics {
  readonly #writes
  readonly #queries
  readonly #refused
  readonly #slowQueries
  readonly queues = new QueueMetrics()
  /** PostgreSQL sessions, or SQLite reader processes. */
  pool = () => ({ used: 0, idle: 0, waiting: 0 })
  /** Resident memory of the SQLite reader processes. */
  readerBytes = () => 0
  /** Limit of SQLite's page cache in the service process. */
  cacheLimitBytes = 0
  /** Writes that wait for the next shared transaction. */
  queuedWrites = () => 0

  /** Without a registry nothing is counted, and prom-client is not loaded. */
  constructor(registry?: MetricRegistry) {
    const writes = registry?.durations<'phase'>('tabularium_store_write_seconds', 'Duration of writes by phase.')
    const help = 'Until the first chunk of a collection.'
    const queries = registry?.durations<'where'>('tabularium_store_query_seconds', help)
    this.#writes = new Map(PHASES.map((phase) => [phase, writes?.of({ phase }, true)]))
    this.#queries = new Map(PLACES.map((where) => [where, queries?.of({ where }, true)]))
    this.#refused = registry?.counter('tabularium_store_refused_total', 'Rejected requests by reason.', ['reason'])
    this.#slowQueries = registry?.counter('tabularium_slow_queries_total', 'Slow queries by document.', ['document'])
    if (registry) this.#declareGauges(registry)
  }

  addWrite(phase: (typeof PHASES)[number], ms: number): void {
    this.#writes.get(phase)?.add(ms)
  }

  addQuery(where: (typeof PLACES)[number], ms: number): void {
    this.#queries.get(where)?.add(ms)
  }

  addSlowQuery(document: string): void {
    this.#slowQueries?.inc({ document })
  }

  refuse(reason: StoreRefusal): void {
    this.#refused?.inc({ reason })
  }

  #declareGauges(registry: MetricRegistry): void {
    const poolHelp = 'PostgreSQL sessions or SQLite reader processes.'
    registry.gauges('tabularium_store_pool', poolHelp, 'state', () => this.pool())
    const gauge = (name: string, help: string, read: () => number) =>
      registry.gauge(`tabularium_store_${name}`, help, read)
    gauge('readers_resident_memory_bytes', 'Memory of the SQLite reader processes.', () => this.readerBytes())
    gauge('cache_limit_bytes', "Limit of SQLite's page cache in the service process.", () => this.cacheLimitBytes)
    gauge('writes_queued', 'Writes that wait for the next transaction.', () => this.queuedWrites())
  }
}

/** Queries of a replica count among those of the store; its sessions and queues are not shown. */
export function metricsOfReplica(store: StoreMetrics): StoreMetrics {
  return Object.assign(new StoreMetrics(), { addQuery: store.addQuery.bind(store), refuse: store.refuse.bind(store) })
}

/**
 * `replica`: answered by it; otherwise the primary had to: it is not used now (`left`), a change that the caller needs
 * was not there in time (`behind`), or it gave no answer (`failed`).
 */
const READS = ['replica', 'left', 'behind', 'failed'] as const

export class ReplicaMetrics {
  readonly #reads
  /** How old at most what it has is; undefined while it is not used. */
  behindSeconds = (): number | undefined => undefined

  constructor(registry: MetricRegistry) {
    this.#reads = registry.counter('tabularium_replica_reads_total', 'Requests by what became of the replica.', ['how'])
    for (const how of READS) this.#reads.inc({ how }, 0)
    const gauge = (name: string, help: string, read: () => number, aggregator: 'min' | 'max') =>
      registry.gauge(`tabularium_replica_${name}`, help, read, aggregator)
    gauge('used', '1 while reads go to the replica.', () => (this.behindSeconds() === undefined ? 0 : 1), 'min')
    gauge('behind_seconds', 'How old at most what the replica has is.', () => this.behindSeconds() ?? 0, 'max')
  }

  read(how: (typeof READS)[number]): void {
    this.#reads.inc({ how })
  }
}

interface Queue {
  readonly figures: QueueFigures
}

/** The figures of the queues of the process. Queues of one name are counted together. */
class QueueMetrics {
  readonly #queues = new Map<string, Queue[]>()

  add(name: string, queue: Queue): void {
    this.#queues.set(name, [...(this.#queues.get(name) ?? []), queue])
  }

  /** A figure of all queues, by name. */
  of(figure: keyof QueueFigures): Readonly<Record<string, number>> {
    const sums = [...this.#queues].map(([name, queues]) => [
      name,
      queues.reduce((sum, { figures }) => sum + figures[figure], 0),
    ])
    return Object.fromEntries(sums)
  }
}
