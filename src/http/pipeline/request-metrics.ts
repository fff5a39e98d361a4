// Counts requests and measures their duration. It runs for every request, so it allocates no closures.
import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RequestMetrics, RouteMetrics } from '../../observe/metrics.ts'

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
