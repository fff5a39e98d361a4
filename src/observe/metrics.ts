// The Prometheus metrics, made from observations and from the counters in figures.ts. No label names a company, a user
// or a record, and every label has few values.
import { AggregatorRegistry, Counter, type Metric, Registry } from 'prom-client'
import { BOUNDS_SECONDS, type DurationHistogram } from './duration-histogram.ts'
import { ConnectionMetrics, FileMetrics, ResponseMetrics, StoreMetrics } from './figures.ts'
import type { Observation } from './observation.ts'
import { ProcessMetrics } from './process-metrics.ts'
import { RequestMetrics } from './request-metrics.ts'

type Labels = Readonly<Record<string, string>>
type Labelled<T> = readonly (readonly [labels: Labels, value: T])[]

/** All metrics of one process, in the JSON form in which processes exchange them. */
export type MetricRows = readonly object[]

export interface MetricsText {
  readonly type: string
  readonly body: string
}

/** How the values of several processes are combined. */
type Aggregation = 'sum' | 'max' | 'min'

/** The metrics of several processes, combined, in the text format of Prometheus. */
export async function textOfAll(processes: readonly MetricRows[]): Promise<MetricsText> {
  const registry = AggregatorRegistry.aggregate([...processes])
  return { type: registry.contentType, body: await registry.metrics() }
}

export class Metrics {
  readonly requests = new RequestMetrics()
  readonly store = new StoreMetrics()
  readonly files = new FileMetrics()
  readonly answers = new ResponseMetrics()
  readonly connections = new ConnectionMetrics()
  readonly #process = new ProcessMetrics()
  #busyShare = 0
  readonly #registry = new Registry()
  readonly #events = this.#counter('tabularium_events_total', 'What the log is told of, by kind.', ['kind'])
  readonly #thumbnails = this.#counter('tabularium_thumbnails_total', 'Thumbnails answered, by how.', ['how'])
  readonly #texts = this.#counter('tabularium_texts_total', 'Files read for the search.', ['outcome'])

  constructor() {
    this.#declareRequests()
    this.#declareStore()
    this.#declareFiles()
    this.#declareAnswers()
    this.#declareConnections()
    this.#declareProcess()
  }

  /** Counts an observation. */
  readonly observe = (observation: Observation): void => {
    this.#events.inc({ kind: observation.kind })
    if (observation.kind === 'thumbnail-answered') this.#thumbnails.inc({ how: observation.how })
    else if (observation.kind === 'text-read') this.#texts.inc({ outcome: 'read' })
    else if (observation.kind === 'text-not-read') this.#texts.inc({ outcome: 'failed' })
  }

  /** Registers a gauge whose value is read when the metrics are scraped. */
  gauge(name: string, help: string, read: () => number, aggregation: Aggregation = 'sum'): void {
    this.#values('gauge', name, help, () => [[{}, read()]], aggregation)
  }

  rows(): Promise<MetricRows> {
    return this.#registry.getMetricsAsJSON()
  }

  /** The metrics of this process in the text format of Prometheus, version 0.0.4. */
  async text(): Promise<MetricsText> {
    return { type: this.#registry.contentType, body: await this.#registry.metrics() }
  }

  stop(): void {
    this.#process.stop()
  }

  #declareRequests(): void {
    this.#values('counter', 'http_requests_total', 'Requests by method, route and status (0: the caller left).', () =>
      [...this.requests].flatMap(({ method, route, byStatus }) =>
        [...byStatus].map(([status, count]) => [{ method, route, status: String(status) }, count] as const),
      ),
    )
    this.#durations('http_request_duration_seconds', 'From the headers of a request to the end of its answer.', () =>
      [...this.requests]
        // Routes without requests are left out, to keep the text short.
        .filter(({ byStatus }) => byStatus.size > 0)
        .map(({ method, route, durations }) => [{ method, route }, durations]),
    )
  }

  #declareStore(): void {
    const { writes, queries, refusals } = this.store
    this.#durations('tabularium_store_write_seconds', 'Of writes: waiting, running, committing.', () =>
      Object.entries(writes).map(([phase, durations]) => [{ phase }, durations]),
    )
    this.#durations('tabularium_store_query_seconds', 'Queries of collections until their first piece, by place.', () =>
      Object.entries(queries).map(([where, durations]) => [{ where }, durations]),
    )
    this.#values('counter', 'tabularium_store_refused_total', 'Whom the store has sent away, and why.', () =>
      [...refusals].map(([reason, count]) => [{ reason }, count]),
    )
    this.#values('counter', 'tabularium_slow_queries_total', 'Questions that took long, by document.', () =>
      [...this.store.slowQueries].map(([document, count]) => [{ document }, count]),
    )
    this.#values('gauge', 'tabularium_store_pool', 'Sessions with PostgreSQL, or reader processes of SQLite.', () =>
      Object.entries(this.store.pool()).map(([state, count]) => [{ state }, count]),
    )
    this.gauge('tabularium_store_readers_resident_memory_bytes', 'Memory of reader processes of SQLite.', () =>
      this.store.readerBytes(),
    )
    this.gauge(
      'tabularium_store_cache_limit_bytes',
      'What pages of SQLite may take in the service itself.',
      () => this.store.cacheLimitBytes,
    )
    this.gauge('tabularium_store_writes_queued', 'Writes that wait for a transaction to begin.', () =>
      this.store.queuedWrites(),
    )
  }

  #declareFiles(): void {
    const { files } = this
    this.#values('counter', 'tabularium_file_bytes_total', 'Bytes of file contents, received and read.', () => [
      [{ direction: 'in' }, files.bytesIn],
      [{ direction: 'out' }, files.bytesOut],
    ])
    this.gauge('tabularium_file_uploads', 'File contents that are being received.', () => files.uploadsUnderWay)
  }

  #declareAnswers(): void {
    const { answers } = this
    this.#values('counter', 'tabularium_answers_repeated_total', 'Reads answered as before, by status.', () =>
      Object.entries(answers.hits).map(([status, count]) => [{ status }, count]),
    )
    this.gauge('tabularium_answer_cache_bytes', 'Memory of answers that are kept.', () => answers.bytes())
  }

  #declareConnections(): void {
    const { connections } = this
    this.gauge('http_connections', 'Open connections.', () => connections.open)
    this.#values('counter', 'http_connections_refused_total', 'Connections not taken, by the bound reached.', () =>
      Object.entries(connections.refused).map(([bound, count]) => [{ bound }, count]),
    )
    this.#values('counter', 'http_connections_reclaimed_total', 'Idle connections closed to make room.', () => [
      [{}, connections.reclaimed],
    ])
  }

  #declareProcess(): void {
    const lag = () => {
      const { p50, p99, max, busy } = this.#process.eventLoop()
      this.#busyShare = busy
      return [
        [{ quantile: '0.5' }, p50],
        [{ quantile: '0.99' }, p99],
        [{ quantile: '1' }, max],
      ] as const
    }
    const lagHelp = 'How late the event loop was since the last look; of several processes the latest.'
    this.#values('gauge', 'nodejs_eventloop_lag_seconds', lagHelp, lag, 'max')
    this.gauge(
      'nodejs_eventloop_utilization',
      'Which part of the time since the last look was work; of several processes the busiest.',
      () => this.#busyShare,
      'max',
    )
    this.#values('counter', 'process_cpu_seconds_total', 'Processor time of the service itself.', () => [
      [{}, this.#process.cpuSeconds()],
    ])
    this.gauge('process_resident_memory_bytes', 'Memory of the service itself.', () => process.memoryUsage.rss())
    const memory = (name: string, help: string, kind: keyof NodeJS.MemoryUsage) =>
      this.gauge(`nodejs_${name}_bytes`, help, () => process.memoryUsage()[kind])
    memory('heap_size_used', 'Of it, objects of JavaScript.', 'heapUsed')
    memory('heap_size_total', 'Of it, what is set aside for objects of JavaScript.', 'heapTotal')
    memory('external_memory', 'Of it, what objects of JavaScript hold elsewhere, array buffers among them.', 'external')
    memory('array_buffers', 'Of it, array buffers.', 'arrayBuffers')
    const startedAt = Date.now() / 1000 - process.uptime()
    this.gauge('process_start_time_seconds', 'When the process was started (Unix time).', () => startedAt, 'min')
  }

  #counter(name: string, help: string, labelNames: string[]): Counter {
    return new Counter({ name, help, labelNames, registers: [this.#registry] })
  }

  /** Registers a metric whose values are kept elsewhere and read when the metrics are scraped. */
  #values(
    type: 'counter' | 'gauge',
    name: string,
    help: string,
    read: () => Labelled<number>,
    aggregation: Aggregation = 'sum',
  ): void {
    this.#register({ type, name, help, aggregator: aggregation }, () =>
      read().map(([labels, value]) => ({ labels, value })),
    )
  }

  #durations(name: string, help: string, read: () => Labelled<DurationHistogram>): void {
    this.#register({ type: 'histogram', name, help, aggregator: 'sum' }, () =>
      read().flatMap(([labels, durations]) => bucketsOf(name, labels, durations)),
    )
  }

  /** prom-client has no metrics with external values; its registry needs no more than this of a metric. */
  #register(description: MetricDescription, values: () => Sample[]): void {
    const metric = { name: description.name, get: async () => ({ ...description, values: values() }) }
    this.#registry.registerMetric(metric as unknown as Metric)
  }
}

interface MetricDescription {
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly name: string
  readonly help: string
  readonly aggregator: Aggregation
}

interface Sample {
  readonly metricName?: string
  readonly labels: Labels
  readonly value: number
}

/** The samples of a Prometheus histogram, whose buckets are cumulative. */
function bucketsOf(name: string, labels: Labels, { counts, sumSeconds }: DurationHistogram): Sample[] {
  let count = 0
  const buckets = counts.map((inBucket, index) => {
    count += inBucket
    const le = String(BOUNDS_SECONDS[index] ?? '+Inf')
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count }
  })
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sumSeconds },
    { metricName: `${name}_count`, labels, value: count },
  ]
}
