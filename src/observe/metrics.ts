// The Prometheus metrics of the service. No label names a company, a user or a record, and every label has few values.

import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { AggregatorRegistry, Counter, collectDefaultMetrics, Registry } from 'prom-client'
import { getOrInsert } from '../base/memo.ts'
import { ClientMetrics } from './client-metrics.ts'
import { MetricRegistry } from './metric-registry.ts'
import type { Observation } from './observation.ts'
import { StoreMetrics } from './store-metrics.ts'

/** All metrics of one process, in the JSON form in which processes exchange them. */
export type MetricRows = readonly object[]

export interface MetricsText {
  readonly type: string
  readonly body: string
}

/** The metrics of several processes, combined, in the text format of Prometheus. */
export function aggregatedText(processes: readonly MetricRows[]): Promise<MetricsText> {
  return registryText(AggregatorRegistry.aggregate([...processes]))
}

async function registryText(registry: Registry): Promise<MetricsText> {
  return { type: registry.contentType, body: await registry.metrics() }
}

export class Metrics extends MetricRegistry {
  readonly #process = processMetrics()
  readonly requests = new RequestMetrics(this)
  readonly clients = new ClientMetrics(this)
  readonly store = new StoreMetrics(this)
  readonly files = new FileMetrics(this)
  readonly connections = new ConnectionMetrics(this)
  readonly responses = new ResponseMetrics(this)
  readonly #events = this.counter('tabularium_events_total', 'Observations by kind.', ['kind'])
  readonly #thumbnails = this.counter('tabularium_thumbnails_total', 'Thumbnails sent, by origin.', ['how'])
  readonly #texts = this.counter('tabularium_texts_total', 'Files whose text was extracted for the search.', [
    'outcome',
  ])

  constructor() {
    super()
    const { queues } = this.store
    const name = (end: string) => `tabularium_queue_${end}`
    this.gauges(name('running'), 'Requests, or bytes, in use.', 'queue', () => queues.of('running'))
    this.gauges(name('waiting'), 'Requests that wait.', 'queue', () => queues.of('waiting'))
    this.counters(name('refused_total'), 'Requests that were refused.', 'queue', () => queues.of('refused'))
    this.counters(name('admitted_total'), 'Requests that were admitted.', 'queue', () => queues.of('admitted'))
    const waited = 'How long the admitted requests have waited together.'
    this.counters(name('wait_seconds_total'), waited, 'queue', () => queues.of('waitedSeconds'))
  }

  /** Counts an observation. */
  readonly observe = (observation: Observation): void => {
    this.#events.inc({ kind: observation.kind })
    if (observation.kind === 'thumbnail-answered') this.#thumbnails.inc({ how: observation.how })
    else if (observation.kind === 'text-read') this.#texts.inc({ outcome: 'read' })
    else if (observation.kind === 'text-not-read') this.#texts.inc({ outcome: 'failed' })
  }

  rows(): Promise<MetricRows> {
    return this.#withProcess().getMetricsAsJSON()
  }

  /** The metrics of this process in the text format of Prometheus, version 0.0.4. */
  text(): Promise<MetricsText> {
    return registryText(this.#withProcess())
  }

  #withProcess(): Registry {
    return Registry.merge([this, this.#process])
  }
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS'])

export class RequestMetrics {
  readonly #durations
  readonly #routes = new Map<string, CountedRoute>()

  constructor(registry: MetricRegistry) {
    const total: Counter<'method' | 'route' | 'status'> = new Counter({
      name: 'http_requests_total',
      help: 'Requests; status 0: the client disconnected before the end of the response.',
      labelNames: ['method', 'route', 'status'],
      registers: [registry],
      collect: () => {
        total.reset()
        for (const { method, route, counts } of this.#routes.values())
          for (const [status, count] of counts) total.inc({ method, route, status }, count)
      },
    })
    this.#durations = registry.durations<'method' | 'route'>(
      'http_request_duration_seconds',
      'Until the end of the response.',
    )
  }

  /** One method of a route as declared. Requests without a route share one, so that made-up paths use no memory. */
  of(requestMethod: string, route = 'unmatched'): RouteMetrics {
    const method = METHODS.has(requestMethod) ? requestMethod : 'other'
    return getOrInsert(this.#routes, `${method} ${route}`, () => {
      const counts = new Map<number, number>()
      const durations = this.#durations.of({ method, route })
      const add = (status: number, ms: number) => {
        counts.set(status, (counts.get(status) ?? 0) + 1)
        durations.add(ms)
      }
      return { method, route, counts, add }
    })
  }
}

interface CountedRoute extends RouteMetrics {
  /** By status. */
  readonly counts: ReadonlyMap<number, number>
}

export interface RouteMetrics {
  readonly method: string
  /** As declared. */
  readonly route: string
  /** Status 0 stands for a client that disconnected before the end of its response. */
  add(status: number, ms: number): void
}

export class FileMetrics {
  /** Bytes received (in), and read for downloads and jobs (out). */
  readonly bytes
  uploadsUnderWay = 0

  constructor(registry: MetricRegistry) {
    this.bytes = registry.counter('tabularium_file_bytes_total', 'Bytes of contents.', ['direction'])
    for (const direction of ['in', 'out']) this.bytes.inc({ direction }, 0)
    registry.gauge('tabularium_file_uploads', 'Contents that are being received.', () => this.uploadsUnderWay)
  }
}

export class ConnectionMetrics {
  open = 0
  /** Idle connections that were closed for new ones. */
  readonly reclaimed
  /** Rejected connections by the limit reached: that of one address, or that of all. */
  readonly refused

  constructor(registry: MetricRegistry) {
    registry.gauge('http_connections', 'Open connections.', () => this.open)
    this.reclaimed = registry.counter('http_connections_reclaimed_total', 'Idle connections closed for new ones.')
    this.refused = registry.counter('http_connections_refused_total', 'Rejected connections by limit.', ['bound'])
    for (const bound of ['address', 'all']) this.refused.inc({ bound }, 0)
  }
}

/** Reads that were answered from the response cache. */
export class ResponseMetrics {
  readonly hits = { 200: 0, 304: 0 }
  /** Size of the cached responses. */
  bytes = () => 0

  constructor(registry: MetricRegistry) {
    registry.counters('tabularium_answers_repeated_total', 'Responses from the cache.', 'status', () => this.hits)
    registry.gauge('tabularium_answer_cache_bytes', 'Size of the cached responses.', () => this.bytes())
  }
}

/** Sampling at this interval has no measurable cost. */
const RESOLUTION_MS = 20
const SECONDS_PER_NANOSECOND = 1e-9
/** prom-client averages these over processes, and one that is blocked would not be noticed. */
const AVERAGED = /^nodejs_eventloop_lag/

let registry: MetricRegistry | undefined

/** The metrics of the process, which all parts of it share: prom-client never stops measuring. */
function processMetrics(): MetricRegistry {
  if (registry) return registry
  registry = new MetricRegistry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 1_000 })
  for (const { name } of registry.getMetricsAsArray()) if (AVERAGED.test(name)) registry.removeSingleMetric(name)
  measureEventLoop(registry)
  return registry
}

function measureEventLoop(registry: MetricRegistry): void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  const seconds = (nanoseconds: number) => Math.max(0, nanoseconds * SECONDS_PER_NANOSECOND - RESOLUTION_MS / 1000)
  const lag = () => {
    const quantiles = { 0.5: seconds(delay.percentile(50)), 0.99: seconds(delay.percentile(99)), 1: seconds(delay.max) }
    delay.reset()
    return quantiles
  }
  const lagHelp = 'Delay of the event loop since the last scrape; of several processes the longest.'
  registry.gauges('nodejs_eventloop_lag_seconds', lagHelp, 'quantile', lag, 'max')
  let last = performance.eventLoopUtilization()
  const utilization = () => {
    const previous = last
    last = performance.eventLoopUtilization()
    return performance.eventLoopUtilization(last, previous).utilization
  }
  const help =
    'Share of the time since the last scrape in which the event loop was busy; of several processes the highest.'
  registry.gauge('nodejs_eventloop_utilization', help, utilization, 'max')
}
