// Observes requests: their ids, records and spans.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RequestMetrics, RouteMetrics } from '../../observe/metrics.ts'
import type { RequestSpan, Traces } from '../../observe/observation.ts'
import { RequestRecord, type RequestSinks } from './request-record.ts'

/** A client's own id is used if it is harmless in a header and a log line. */
const SAFE_ID = /^[\w.:-]{1,128}$/

export function requestIdOf(request: IncomingMessage): string {
  const requested = request.headers['x-request-id']
  return typeof requested === 'string' && SAFE_ID.test(requested) ? requested : randomUUID()
}

/** The metrics of one route, by method. */
type MetricsByMethod = Readonly<Record<string, RouteMetrics>>
export type MeasuredConfig = { readonly metrics?: MetricsByMethod; readonly isIncomplete?: boolean }

/** Attaches its metrics to each route. Must be called before the first route is declared. */
export function measureRoutes(app: FastifyInstance, requests: RequestMetrics, basePath: string): void {
  app.addHook('onRoute', (route) => {
    if ((route.config as MeasuredConfig | undefined)?.isIncomplete) return
    const path = route.url.slice(basePath.length)
    const metrics = Object.fromEntries([route.method].flat().map((method) => [method, requests.of(method, path)]))
    route.config = { ...route.config, metrics } as typeof route.config
  })
}

/** Begins the record of a request, which is told when its response is sent or its client has disconnected. */
export function measure(
  sinks: RequestSinks,
  requests: RequestMetrics,
  config: MeasuredConfig,
  { method, id: requestId, raw }: FastifyRequest,
  reply: FastifyReply,
): RequestRecord {
  const metrics = config.metrics?.[method] ?? requests.of(method)
  return RequestRecord.begin(sinks, raw, reply.raw, { metrics, requestId, startedAt: performance.now() })
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
