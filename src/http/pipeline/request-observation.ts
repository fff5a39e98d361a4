// Observes requests: their ids, metrics and spans. The metrics are counted for every request, so they allocate no
// closures.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RequestMetrics, RouteMetrics } from '../../observe/metrics.ts'
import type { RequestSpan, Traces } from '../../observe/observation.ts'

/** A client's own id is used if it is harmless in a header and a log line. */
const SAFE_ID = /^[\w.:-]{1,128}$/

export function requestIdOf(request: IncomingMessage): string {
  const requested = request.headers['x-request-id']
  return typeof requested === 'string' && SAFE_ID.test(requested) ? requested : randomUUID()
}

/** The metrics of one route, by method. */
type MetricsByMethod = Readonly<Record<string, RouteMetrics>>
export type MeasuredConfig = { readonly metrics?: MetricsByMethod; readonly isIncomplete?: boolean }

const STARTED = Symbol('started')
const METRICS = Symbol('metrics')
type Measured = ServerResponse & { [STARTED]: number; [METRICS]: RouteMetrics }

/** Attaches its metrics to each route. Must be called before the first route is declared. */
export function measureRoutes(app: FastifyInstance, requests: RequestMetrics, basePath: string): void {
  app.addHook('onRoute', (route) => {
    if ((route.config as MeasuredConfig | undefined)?.isIncomplete) return
    const path = route.url.slice(basePath.length)
    const metrics = Object.fromEntries([route.method].flat().map((method) => [method, requests.of(method, path)]))
    route.config = { ...route.config, metrics } as typeof route.config
  })
}

/** Counts the request when its response is sent or its client has disconnected. */
export function measure(
  requests: RequestMetrics,
  config: MeasuredConfig,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  measureAs(config.metrics?.[request.method] ?? requests.of(request.method), reply.raw, performance.now())
}

/** As `measure`, for a request that started at the given time. */
export function measureAs(metrics: RouteMetrics, raw: ServerResponse, startedAt: number): void {
  const response = raw as Measured
  response[STARTED] = startedAt
  response[METRICS] = metrics
  response.on('close', count)
}

/** The metrics that a measured request will be counted in. */
export function metricsOf(response: ServerResponse): RouteMetrics {
  return (response as Measured)[METRICS]
}

function count(this: Measured): void {
  this[METRICS].add(this.writableEnded ? this.statusCode : 0, performance.now() - this[STARTED])
}

/** Makes a span for each request. Must be called before other hooks are added: their work is inside the span. */
export function traceRequests(app: FastifyInstance, traces: Traces, basePath: string): void {
  const spans = new WeakMap<FastifyRequest, RequestSpan>()
  app.addHook('onRequest', (request, reply, done) => {
    const { url, config } = request.routeOptions
    const span = traces.startRequest({
      method: request.method,
      route: (config as { isIncomplete?: boolean }).isIncomplete ? undefined : url?.slice(basePath.length),
      requestId: request.id,
      headers: request.headers,
    })
    spans.set(request, span)
    const { raw } = reply
    raw.once('close', () => span.end(raw.writableEnded ? raw.statusCode : undefined))
    span.run(done)
  })
  // Reading the body loses the async context.
  app.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request)
    if (span) span.run(done)
    else done()
  })
}
